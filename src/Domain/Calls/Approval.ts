import { Schema } from "effect"
import { ApprovalId, CallId, ConnectionId, GrantId, KeyId, MemberId } from "../Ids.ts"
import { Timestamp } from "../Validation/Fields.ts"
import { Change } from "./Change.ts"

export const ApprovalStatus = Schema.Literals(["pending", "approved", "denied", "expired", "done"]).annotate({
  description: "`approved` until the write has been sent, then `done`, also if it has failed."
})
export type ApprovalStatus = typeof ApprovalStatus.Type

/** Without what is written. */
export const ApprovalSummary = Schema.Struct({
  id: ApprovalId,
  status: ApprovalStatus,
  provider: Schema.String,
  target: Schema.String.annotate({ description: "`raw:<endpoint>` or `tool:<name>`." }),
  connection_id: ConnectionId,
  asked_by: Schema.Struct({
    member_id: MemberId,
    key_id: Schema.NullOr(KeyId),
    grant_id: Schema.NullOr(GrantId)
  }),
  decided_by: Schema.NullOr(MemberId),
  created_at: Timestamp,
  expires_at: Timestamp
}).annotate({ identifier: "ApprovalSummary" })
export type ApprovalSummary = typeof ApprovalSummary.Type

export const Approval = Schema.Struct({
  ...ApprovalSummary.fields,
  input: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The input of the operation. `{ undo_of }` for an undo."
  }),
  changes: Schema.Array(Change).annotate({ description: "What the write changes, as in its preview." }),
  call_id: Schema.NullOr(CallId).annotate({ description: "The call that was sent; `null` before." }),
  response: Schema.NullOr(Schema.Unknown).annotate({
    description: "Its response, as `POST /v1/call` would have returned it."
  })
}).annotate({ identifier: "Approval" })
export type Approval = typeof Approval.Type
