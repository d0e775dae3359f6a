import { Schema, SchemaTransformation } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

export const Timestamp = Schema.DateFromString.pipe(
  Schema.annotateEncoded({ format: "date-time", description: "ISO 8601, with milliseconds and `Z`." })
)

/** `oauth`, `service_account` (Google) or `api_key` (site search). */
export const AuthType = Schema.Literals(["oauth", "service_account", "api_key"]).annotate({
  description: "How the connection authenticates to the provider."
})
export type AuthType = typeof AuthType.Type

/**
 * What something is looked up by: an id, a filter. Any text will do, for a malformed id is an unknown one; the character
 * NUL, which Postgres takes in no text, is read as U+FFFD, which no id has.
 */
export const Lookup = Schema.String.pipe(Schema.decodeTo(
  Schema.String,
  SchemaTransformation.transform({ decode: (text) => text.replaceAll("\0", "\uFFFD"), encode: (text) => text })
))

export const defaultLimit = 50

export const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({
  description: "How many entries at most.",
  default: defaultLimit
})

/** The page that a list query asks for. */
export const Page = {
  limit: Limit.pipe(Schema.optionalKey),
  cursor: Schema.String.check(
    Schema.isPattern(/^[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/u, { message: "Not a cursor that a page returned" })
  ).annotate({ description: "The `cursor` that the previous page returned." }).pipe(
    Schema.optionalKey
  )
}
export interface Page {
  readonly limit?: number
  readonly cursor?: string
}

export const Cursor = Schema.NullOr(Schema.String).annotate({
  description: "Opaque; pass it on to get the next page. `null` on the last page."
})

/** For text that is stored: Postgres takes no NUL. */
export const withoutNul = Schema.makeFilter<string>(
  (text) => !text.includes("\0"),
  { message: "Must not contain the character NUL" }
)

/** What people call a thing. */
export const Name = Schema.String.check(
  Schema.isPattern(/\S/u, { message: "Must not be empty" }),
  Schema.isMaxLength(200),
  withoutNul
)

/** An OAuth scope (RFC 6749, section 3.3). */
export const Scope = Schema.String.check(
  Schema.isPattern(/^[\x21\x23-\x5B\x5D-\x7E]+$/u, { message: "Expected an OAuth scope, without spaces or quotes" })
)

/** Answered with 201. Suspended, for a status of its own would make it another schema under the same name. */
export const Created = <S extends Schema.Top>(schema: S) =>
  Schema.suspend(() => schema).annotate({ description: "Created" }).pipe(HttpApiSchema.status(201))
