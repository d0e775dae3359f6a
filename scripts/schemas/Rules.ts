/**
 * What Google enforces and its discovery documents say in prose at best. A rule belongs here only where Google is
 * certain to refuse what breaks it.
 */
export interface MessageRules {
  /** A union: every field is a choice, and exactly one is made. */
  readonly union?: true
  readonly exactlyOneOf?: ReadonlyArray<ReadonlyArray<string>>
  readonly atMostOneOf?: ReadonlyArray<ReadonlyArray<string>>
  readonly atLeastOneOf?: ReadonlyArray<ReadonlyArray<string>>
  readonly required?: ReadonlyArray<string>
  readonly omitted?: ReadonlyArray<string>
  /** Hand-written schemas, by field: an expression over the names that the module imports. */
  readonly fields?: Readonly<Record<string, string>>
}

export type Rules = Readonly<Record<string, MessageRules>>

export interface Module {
  /** Of the discovery document. */
  readonly document: string
  /** Request messages; all that they reach is generated with them. */
  readonly roots: ReadonlyArray<string>
  readonly rules: Rules
  /** Import lines for the names in `fields`. */
  readonly imports: ReadonlyArray<string>
  readonly output: string
}
