import { Schema } from "effect"
import { HttpApiSchema } from "effect/unstable/httpapi"

export const Timestamp = Schema.DateFromString.pipe(
  Schema.annotateEncoded({ format: "date-time", description: "ISO 8601, with milliseconds and `Z`." })
)

/** `oauth`, `service_account` (Google) or `api_key` (site search). */
export const AuthType = Schema.Literals(["oauth", "service_account", "api_key"]).annotate({
  description: "How the connection authenticates to the provider."
})
export type AuthType = typeof AuthType.Type

/** The page that a list query asks for. */
export const Page = {
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({
    description: "How many entries at most, 1 to 200; 50 by default.",
    default: 50
  }).pipe(Schema.optionalKey),
  cursor: Schema.String.check(
    Schema.isPattern(/^[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/, { message: "Not a cursor that a page returned" })
  ).annotate({ description: "The `cursor` that the previous page returned." }).pipe(
    Schema.optionalKey
  )
}
export interface Page {
  readonly limit?: number
  readonly cursor?: string
}
export const defaultLimit = 50

export const Cursor = Schema.NullOr(Schema.String).annotate({
  description: "Opaque; pass it on to get the next page. `null` on the last page."
})

/** What people call a thing. */
export const Name = Schema.String.check(
  Schema.isPattern(/\S/, { message: "Must not be empty" }),
  Schema.isMaxLength(200)
)

/** Answered with 201. */
export const Created = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(201))
