import { Schema } from "effect"
import { Change, shownFields } from "../../Domain/Calls/Change.ts"
import { UndoReason } from "../../Domain/Calls/UndoReason.ts"
import { ApprovalId, CallId } from "../../Domain/Ids.ts"
import { apiError, RetryLater } from "../ApiError.ts"

export class IdempotencyInProgress extends apiError("IdempotencyInProgress", {
  code: "idempotency_in_progress",
  status: 409,
  when: "The first request with this `Idempotency-Key` is still under way; retry after `Retry-After` seconds",
  details: RetryLater
}) {}

export class IdempotencyKeyReused extends apiError("IdempotencyKeyReused", {
  code: "idempotency_key_reused",
  status: 422,
  when: "The `Idempotency-Key` was used with another body; use a new key",
  details: Schema.Struct({ call_id: CallId })
}) {}

export class OutcomeUnknown extends apiError("OutcomeUnknown", {
  code: "outcome_unknown",
  status: 409,
  when: "The first request with this `Idempotency-Key` may have been carried out; " +
    "look at the provider before you write again with a new key",
  details: Schema.Struct({ call_id: CallId })
}) {}

export class UndoConflict extends apiError("UndoConflict", {
  code: "undo_conflict",
  status: 409,
  when: "What the call wrote was changed since; nothing was written",
  details: Schema.Struct({
    ...shownFields,
    changes: Schema.Array(Change).annotate({
      description: "`before` is what the call left, `after` what is there now."
    })
  })
}) {}

export class UndoUnavailable extends apiError("UndoUnavailable", {
  code: "undo_unavailable",
  status: 409,
  when: "The call cannot be undone, or not again",
  details: Schema.Struct({
    reason: UndoReason,
    version_history: Schema.optionalKey(
      Schema.String.annotate({ description: "Where people find the earlier versions of the file." })
    )
  })
}) {}

export class ApprovalRequired extends apiError("ApprovalRequired", {
  code: "approval_required",
  status: 409,
  when: "The write waits for a person's approval; nothing was sent",
  details: Schema.Struct({ approval_id: ApprovalId, url: Schema.String, expires_at: Schema.String })
}) {}

export class ApprovalDenied extends apiError("ApprovalDenied", {
  code: "approval_denied",
  status: 409,
  when: "A person has denied the write; nothing was sent",
  details: Schema.Struct({ approval_id: ApprovalId })
}) {}

export class ApprovalNotFound extends apiError("ApprovalNotFound", {
  code: "approval_not_found",
  status: 404,
  when: "The caller sees no approval with that id"
}) {}
