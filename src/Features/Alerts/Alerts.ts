import { Schema } from "effect"
import { ClientId, MailDeliveryId, MemberId } from "../../Domain/Ids.ts"
import { Lookup, Timestamp } from "../../Domain/Validation/Fields.ts"
import { mailEvents } from "./Declared.ts"

export const MailEvent = Schema.Literals(mailEvents)
export type MailEvent = typeof MailEvent.Type

const digestOf = "The clients of the weekly digest. `null` means every client that the member sees, `[]` no digest."

export const AlertChoices = Schema.Struct({
  available: Schema.Boolean.annotate({ description: "Whether this service can send mail." }),
  email: Schema.String.annotate({ description: "Where mail is sent: the address of the member." }),
  events: Schema.Array(MailEvent),
  digest_client_ids: Schema.NullOr(Schema.Array(ClientId)).annotate({ description: digestOf })
}).annotate({ identifier: "AlertChoices" })
export type AlertChoices = typeof AlertChoices.Type

export const AlertChange = Schema.Struct({
  events: Schema.Array(MailEvent),
  digest_client_ids: Schema.NullOr(Schema.Array(Lookup).check(Schema.isMaxLength(1000))).annotate({
    description: digestOf
  })
})
export type AlertChange = typeof AlertChange.Type

export const AlertTest = Schema.Struct({
  email: Schema.String.annotate({ description: "Where the sample was sent: the address of the member." }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why it was not sent; null once the mail server has accepted it."
  })
}).annotate({ identifier: "AlertTest" })
export type AlertTest = typeof AlertTest.Type

export const MailDelivery = Schema.Struct({
  id: MailDeliveryId,
  member_id: MemberId,
  email: Schema.NullOr(Schema.String).annotate({ description: "The address of the last attempt; null before." }),
  // Not literals: a newer version may have stored it.
  type: Schema.String.annotate({ description: "The type of its event, or `digest`." }),
  at: Timestamp.annotate({ description: "When it happened." }),
  status: Schema.Literals(["pending", "delivered", "failed"]).annotate({
    description: "`delivered`: the mail server has accepted it."
  }),
  attempts: Schema.Int,
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why the last attempt failed; null when it succeeded."
  }),
  next_attempt_at: Schema.NullOr(Timestamp).annotate({ description: "Null unless `pending`." })
}).annotate({ identifier: "MailDelivery" })
export type MailDelivery = typeof MailDelivery.Type
