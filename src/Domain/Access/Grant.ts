import { Record, Schema } from "effect"
import { ConnectionId, GrantId, MemberId } from "../Ids.ts"
import { Lookup, Timestamp } from "../Validation/Fields.ts"
import { Undo, Writes } from "./ApiKey.ts"
import { Budget } from "./Budget.ts"
import { AccessLevel, type WritePolicy } from "./Principal.ts"
import { Resources } from "./Resource.ts"

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
  resources: Resources,
  writes: Writes,
  undo: Undo,
  budget: Budget,
  created_at: Timestamp,
  last_used_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Grant" })
export type Grant = typeof Grant.Type

export interface NewGrant {
  /** By default `allow`. */
  readonly writes?: WritePolicy
  /** By default true. */
  readonly undo?: boolean
  readonly memberId: MemberId
  readonly agent: { readonly name: string; readonly clientId: string }
  readonly access: AccessLevel
  /** `null` means all connections that the member sees, future ones included. */
  readonly connectionIds: ReadonlyArray<string> | null
  readonly resources?: Resources
}

export const GrantChange = Schema.Struct({
  access: GrantAccess.pipe(Schema.optionalKey),
  connection_ids: connectionIds(Lookup).pipe(Schema.optionalKey),
  resources: Resources.pipe(Schema.optionalKey),
  writes: Writes.pipe(Schema.optionalKey),
  undo: Undo.pipe(Schema.optionalKey),
  budget: Budget.pipe(Schema.optionalKey)
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
