import { Schema } from "effect"
import { hash } from "node:crypto"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import { type ApprovalId, CallId, ConnectionId } from "../../Domain/Ids.ts"
import { canonicalJson } from "../../Domain/Json/CanonicalJson.ts"

/** A call that waits for approval. It names its connection, so that later connections do not change its choice. */
export const WaitingCall = Schema.Union([
  Schema.Struct({
    provider: Schema.String,
    endpoint: Schema.optionalKey(Schema.String),
    tool: Schema.optionalKey(Schema.String),
    input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    connection_id: ConnectionId
  }),
  Schema.Struct({ undo_of: CallId })
])
export type WaitingCall = typeof WaitingCall.Type

/** Equal for equal calls: the order of fields does not matter, everything else does. */
export const hashCall = (call: WaitingCall): Buffer => hash("sha256", canonicalJson(call), "buffer")

/** The idempotency key of the write that is sent. No header has a key with a space. */
export const keyOfApproval = (id: ApprovalId): string => `approval ${id}`

export const waitingCall = (
  { endpoint, input, provider, tool }: CallRequest,
  connection_id: ConnectionId
): WaitingCall => ({
  provider,
  ...endpoint === undefined ? {} : { endpoint },
  ...tool === undefined ? {} : { tool },
  ...input === undefined ? {} : { input },
  connection_id
})

export const inputOf = (call: WaitingCall): Readonly<Record<string, unknown>> =>
  "undo_of" in call ? { undo_of: call.undo_of } : call.input ?? {}
