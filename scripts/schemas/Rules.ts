/**
 * What Google enforces and its discovery documents say in prose at best. A rule belongs here only where Google is
 * certain to refuse what breaks it.
 */
export interface MessageRules {
  /** Every field of the message is one choice of a union, and exactly one is made. */
  readonly union?: true
  readonly exactlyOneOf?: ReadonlyArray<string>
  readonly atMostOneOf?: ReadonlyArray<string>
  readonly atLeastOneOf?: ReadonlyArray<string>
  readonly required?: ReadonlyArray<string>
  readonly minItems?: Readonly<Record<string, number>>
  readonly maxItems?: Readonly<Record<string, number>>
  /** Hand-written schemas, by field: expressions over what the module imports. */
  readonly fields?: Readonly<Record<string, string>>
  /** Hand-written rules between fields, by name. */
  readonly checks?: ReadonlyArray<string>
}

export type Rules = Readonly<Record<string, MessageRules>>

export interface Module {
  /** The discovery document's file, without `.json`. */
  readonly document: string
  /** Request messages; all that they reach is generated with them. */
  readonly roots: ReadonlyArray<string>
  readonly rules: Rules
  /** Where the names in `fields` and `checks` come from. */
  readonly imports: ReadonlyArray<string>
  readonly output: string
}
