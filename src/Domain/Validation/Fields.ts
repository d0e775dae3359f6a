import { Schema, SchemaTransformation } from "effect"

export const Timestamp = Schema.DateFromString.pipe(
  Schema.annotateEncoded({ format: "date-time", description: "ISO 8601, with milliseconds and `Z`." })
)

const instant = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/u

/** False for 30 February, which `Date` reads as 2 March. */
export const isRealDay = (day: string): boolean => {
  const millis = Date.parse(day)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(day)
}

/** Any time that `DateTime.make` reads, on a day that exists. */
export const Utc = Schema.String.check(
  Schema.makeFilter((text) => isRealDay(text.slice(0, 10)), { message: "Expected a time such as 2026-11-01T09:30:00Z" })
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

/** A date means midnight in UTC. */
export const Instant = Schema.String.check(
  Schema.makeFilter((text) => instant.test(text) && !Number.isNaN(Date.parse(text)) && isRealDay(text.slice(0, 10)), {
    message: "Expected a date such as 2026-11-01, or a time with its zone such as 2026-11-01T09:30:00Z"
  })
).annotate({ format: "date-time" }).pipe(Schema.decodeTo(
  Schema.Date,
  SchemaTransformation.transform({ decode: (text) => new Date(text), encode: (date) => date.toISOString() })
))

/**
 * Any text, because a malformed id is an unknown id. Postgres refuses NUL, so it becomes U+FFFD, which no id contains.
 */
export const Lookup = Schema.String.pipe(Schema.decodeTo(
  Schema.String,
  SchemaTransformation.transform({ decode: (text) => text.replaceAll("\0", "\uFFFD"), encode: (text) => text })
))

/** Postgres refuses NUL, and half a surrogate pair in JSON. */
export const storable = Schema.makeFilter<string>((text) => {
  if (text.includes("\0")) return "Must not contain the character NUL"
  return text.isWellFormed() || "Must not contain half a surrogate pair"
})

export const Name = Schema.String.check(
  Schema.isPattern(/\S/u, { message: "Must not be empty" }),
  Schema.isMaxLength(200),
  storable
)

export const Scope = Schema.String.check(
  Schema.isPattern(/^[\x21\x23-\x5B\x5D-\x7E]+$/u, { message: "Expected an OAuth scope, without spaces or quotes" })
)
