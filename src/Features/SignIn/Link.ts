import { Schema } from "effect"
import { Email } from "../../Domain/Member.ts"
import { Name, Timestamp } from "../../Domain/Validation/Fields.ts"

export const Link = Schema.Struct({
  url: Schema.String.annotate({
    description: "For a browser. It is returned only once and signs a person in once."
  }),
  expires_at: Timestamp
}).annotate({ identifier: "Link" })
export type Link = typeof Link.Type

export const LinkToken = Schema.Struct({
  token: Schema.RedactedFromValue(Schema.String, { label: "link token" }).pipe(
    Schema.annotateEncoded({ description: "What follows `#` in the link." })
  ),
  email: Email.annotate({ description: "The e-mail address of the first admin, for a setup link." }).pipe(
    Schema.optionalKey
  ),
  name: Schema.NullOr(Name).annotate({ description: "The name of the first admin, for a setup link." }).pipe(
    Schema.optionalKey
  )
})
export type LinkToken = typeof LinkToken.Type
