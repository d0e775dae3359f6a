import { Schema, SchemaTransformation } from "effect"

/** For an endpoint that takes nothing. */
export const NoInput = Schema.Record(Schema.String, Schema.Never.annotate({ message: "Unknown field" }))

/** What the provider needs and cannot do without is never blank. */
export const Text = Schema.String.check(Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }))

/**
 * The provider reads a query value whose first visible character is a double quote as a JSON string; so that is how
 * such a value has to be sent. Its blanks are those of .NET's `String.Trim`, of which JavaScript's lack U+0085.
 */
const readAsJson = /^[\s\u0085]*"/

export const quoted = (value: string): string => readAsJson.test(value) ? JSON.stringify(value) : value

const unquoted = (value: string): string => readAsJson.test(value) ? JSON.parse(value) : value

/** A value in the query string. */
export const QueryText = (description: string) =>
  Text.annotate({ description }).pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: quoted, encode: unquoted }))
  )

/** What can be submitted for indexing. */
export const AbsoluteUrl = Schema.String.check(
  Schema.isPattern(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/u, { message: "Expected an absolute http(s) URL" })
)
