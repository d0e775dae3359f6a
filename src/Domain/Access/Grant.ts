import { Record, Schema } from "effect"
import { ConnectionId, GrantId, MemberId } from "../Ids.ts"
import { Lookup, Timestamp } from "../Validation/Fields.ts"
import { AccessLevel } from "./Principal.ts"
import { changedRightsFields, Rights } from "./Rights.ts"

const GrantAccess = AccessLevel.annotate({
  description: "A read-only grant cannot call operations that write. A token given for reading stays read-only."
})

const connectionIds = <Id extends Schema.Top>(id: Id) =>
  Schema.NullOr(Schema.Array(id).check(Schema.isMaxLength(1000))).annotate({
    description: "The connections that the agent sees, if the member sees them. `null` means all, also future ones."
  })

export const Agent = Schema.Struct({
  name: Schema.String,
  client_id: Schema.String.annotate({
    description: "The id that the agent registered with, or the URL of its client metadata document."
  })
})
export type Agent = typeof Agent.Type

export const Grant = Schema.Struct({
  id: GrantId,
  member_id: MemberId,
  agent: Agent,
  access: GrantAccess,
  connection_ids: connectionIds(ConnectionId),
  ...Rights.fields,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Grant" })
export type Grant = typeof Grant.Type

/** The rights of a grant. By default `writes` is `allow`, `undo` is true, and nothing limits it. */
export interface NewGrant extends Partial<Omit<Rights, "budget">> {
  readonly memberId: MemberId
  readonly agent: { readonly name: string; readonly clientId: string }
  readonly access: AccessLevel
  /** `null` means all connections that the member sees, future ones included. */
  readonly connectionIds: ReadonlyArray<string> | null
}

export const GrantChange = Schema.Struct({
  access: GrantAccess.pipe(Schema.optionalKey),
  connection_ids: connectionIds(Lookup).pipe(Schema.optionalKey),
  ...changedRightsFields
})
export type GrantChange = typeof GrantChange.Type

export const grantActions = {
  "grant.created": "let in the agent",
  "grant.changed": "changed the agent",
  "grant.revoked": "revoked the agent"
}

export const grantEvents = {
  "grant.created": "an agent was allowed to act",
  "grant.revoked": "an agent's grant was revoked"
}

export const GrantEvent = Schema.Struct({
  type: Schema.Literals(Record.keys(grantEvents)),
  data: Schema.Struct({ grant: Grant })
})
