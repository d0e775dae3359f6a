import { Schema, SchemaTransformation } from "effect"

export const NoInput = Schema.Record(Schema.String, Schema.Never.annotate({ message: "Unknown field" }))

export const Text = Schema.String.check(Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }))

/**
 * The provider parses a query value that starts with a double quote as a JSON string, so such a value is sent as one.
 * It skips the blanks of .NET's `String.Trim`: those of JavaScript and U+0085.
 */
const readAsJson = /^[\s\u0085]*"/

const quote = (value: string): string => readAsJson.test(value) ? JSON.stringify(value) : value

const unquote = (value: string): string => readAsJson.test(value) ? JSON.parse(value) : value

export const QueryText = (description: string) =>
  Text.annotate({ description }).pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: quote, encode: unquote }))
  )

export const AbsoluteUrl = Schema.String.check(
  Schema.isPattern(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/u, { message: "Expected an absolute http(s) URL" })
)
