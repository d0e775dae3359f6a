import { Record, Schema } from "effect"
import { shownFields } from "../../Domain/Calls/Change.ts"
import { ApprovalId, CallId, ConnectionId, GrantId, KeyId, MemberId } from "../../Domain/Ids.ts"
import { Timestamp } from "../../Domain/Validation/Fields.ts"

export const ApprovalStatus = Schema.Literals(["pending", "approved", "denied", "expired", "done"]).annotate({
  description: "`approved` until the write has been sent, then `done`, also if it has failed."
})
export type ApprovalStatus = typeof ApprovalStatus.Type

const { changes: _, ...shownFigures } = shownFields

/** An approval without the input and the changes. */
export const ApprovalSummary = Schema.Struct({
  id: ApprovalId,
  status: ApprovalStatus,
  provider: Schema.String,
  target: Schema.String.annotate({ description: "`raw:<endpoint>` or `tool:<name>`." }),
  connection_id: ConnectionId,
  resource_name: Schema.NullOr(Schema.String).annotate({
    description: "The file, site or property as people know it; `null` where the write names none or it cannot be read."
  }),
  resource_url: Schema.NullOr(Schema.String).annotate({ description: "Where people open it." }),
  asked_by: Schema.Struct({
    member_id: MemberId,
    key_id: Schema.NullOr(KeyId),
    grant_id: Schema.NullOr(GrantId)
  }),
  decided_by: Schema.NullOr(MemberId),
  created_at: Timestamp,
  expires_at: Timestamp,
  ...shownFigures,
  call_id: Schema.NullOr(CallId).annotate({ description: "The call that was sent; `null` before." }),
  error_code: Schema.NullOr(Schema.String).annotate({ description: "Of its response, if it has failed." })
}).annotate({ identifier: "ApprovalSummary" })
export type ApprovalSummary = typeof ApprovalSummary.Type

export const approvalActions = {
  "approval.requested": "asked to approve a write",
  "approval.decided": "decided on a write"
}

export const approvalEvents = {
  "approval.requested": "a write waits for approval",
  "approval.decided": "a write was approved or denied"
}

export const ApprovalEvent = Schema.Struct({
  type: Schema.Literals(Record.keys(approvalEvents)),
  data: Schema.Struct({ approval: ApprovalSummary })
})
