import { Schema } from "effect"
import { Budget } from "./Access/Budget.ts"
import { ClientId, MemberId } from "./Ids.ts"
import { Lookup, Name, storable, Timestamp } from "./Validation/Fields.ts"

const ClientLimits = Schema.NullOr(Schema.Array(Lookup).check(Schema.isMaxLength(1000))).annotate({
  description: "The clients whose connections the member's keys see. `null` means all clients."
})

export const Role = Schema.Literals(["admin", "member"]).annotate({
  description: "An admin manages everything. A member manages its own keys and the connections of its clients."
})
export type Role = typeof Role.Type

export const Member = Schema.Struct({
  id: MemberId,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  role: Role,
  client_ids: Schema.NullOr(Schema.Array(ClientId)).annotate({ description: "`null` for an admin." }),
  budget: Budget,
  created_at: Timestamp
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

export const Email = Schema.String.check(
  Schema.isMaxLength(320),
  Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { message: "Expected an e-mail address" }),
  storable
)

export const NewMember = Schema.Struct({
  email: Email,
  name: Schema.NullOr(Name).pipe(Schema.optionalKey),
  role: Role.annotate({ default: "member" }).pipe(Schema.optionalKey),
  client_ids: ClientLimits.annotate({
    description:
      "The clients whose connections the member's keys see. `null` means all clients, also future ones. By " +
      "default none; an admin's is `null`."
  }).pipe(Schema.optionalKey),
  budget: Budget.annotate({ default: null }).pipe(Schema.optionalKey)
})
export type NewMember = typeof NewMember.Type

export const MemberChange = Schema.Struct({
  email: Email.pipe(Schema.optionalKey),
  name: Schema.NullOr(Name).pipe(Schema.optionalKey),
  role: Role.pipe(Schema.optionalKey),
  client_ids: ClientLimits.annotate({
    description: "An admin who becomes a member sees no client, unless the request says which."
  }).pipe(Schema.optionalKey),
  budget: Budget.pipe(Schema.optionalKey)
})
export type MemberChange = typeof MemberChange.Type

export const memberActions = {
  "member.created": "added the member",
  "member.changed": "changed the member",
  "member.deleted": "deleted the member"
}
