/** Rules that Google enforces but its discovery documents do not specify. Only for input that Google always rejects. */
export interface MessageRules {
  /** Exactly one field is set. */
  readonly union?: true
  readonly exactlyOneOf?: ReadonlyArray<string>
  readonly atMostOneOf?: ReadonlyArray<string>
  readonly atLeastOneOf?: ReadonlyArray<string>
  readonly required?: ReadonlyArray<string>
  readonly minItems?: Readonly<Record<string, number>>
  readonly maxItems?: Readonly<Record<string, number>>
  /** By field: hand-written schemas, as expressions over the imports of the module. */
  readonly fields?: Readonly<Record<string, string>>
  readonly checks?: ReadonlyArray<string>
}

export type Rules = Readonly<Record<string, MessageRules>>

export interface Module {
  readonly document: string
  /** Messages inside them are generated too. */
  readonly roots: ReadonlyArray<string>
  readonly rules: Rules
  readonly imports: ReadonlyArray<string>
  readonly output: string
}
