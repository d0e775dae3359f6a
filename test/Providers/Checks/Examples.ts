/** What the tests of a provider know of its operations. */
export interface Examples {
  /** Messages of rules that JSON Schema cannot express. Descriptions of fields mention them. */
  readonly rules?: RegExp
  /** Accepted inputs by operation, for endpoints of Google besides those of the contract. */
  readonly inputs: Readonly<Record<string, ReadonlyArray<object>>>
}
