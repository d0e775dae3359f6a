/** Rules that Google enforces but its discovery documents do not specify. Only for input that Google always rejects. */
export interface MessageRules {
  /** The message is a union: exactly one field is set. */
  readonly union?: true
  readonly exactlyOneOf?: ReadonlyArray<string>
  readonly atMostOneOf?: ReadonlyArray<string>
  readonly atLeastOneOf?: ReadonlyArray<string>
  readonly required?: ReadonlyArray<string>
  readonly minItems?: Readonly<Record<string, number>>
  readonly maxItems?: Readonly<Record<string, number>>
  /** Hand-written schemas by field, as expressions over the imports of the module. */
  readonly fields?: Readonly<Record<string, string>>
  readonly checks?: ReadonlyArray<string>
}

export type Rules = Readonly<Record<string, MessageRules>>

export interface Module {
  /** File name of the discovery document, without `.json`. */
  readonly document: string
  /** Request messages. Messages inside them are generated too. */
  readonly roots: ReadonlyArray<string>
  readonly rules: Rules
  /** Import lines for the names in `fields` and `checks`. */
  readonly imports: ReadonlyArray<string>
  readonly output: string
}
