import { Schema, SchemaTransformation } from "effect"

export const Timestamp = Schema.DateFromString.pipe(
  Schema.annotateEncoded({ format: "date-time", description: "ISO 8601, with milliseconds and `Z`." })
)

/**
 * An id or filter value of a look-up. Accepts any text, because a malformed id is an unknown id. Postgres refuses NUL in
 * text, so NUL becomes U+FFFD, which no id contains.
 */
export const Lookup = Schema.String.pipe(Schema.decodeTo(
  Schema.String,
  SchemaTransformation.transform({ decode: (text) => text.replaceAll("\0", "\uFFFD"), encode: (text) => text })
))

export const withoutNul = Schema.makeFilter<string>(
  (text) => !text.includes("\0"),
  { message: "Must not contain the character NUL" }
)

export const Name = Schema.String.check(
  Schema.isPattern(/\S/u, { message: "Must not be empty" }),
  Schema.isMaxLength(200),
  withoutNul
)

/** An OAuth scope (RFC 6749, section 3.3). */
export const Scope = Schema.String.check(
  Schema.isPattern(/^[\x21\x23-\x5B\x5D-\x7E]+$/u, { message: "Expected an OAuth scope, without spaces or quotes" })
)
