import { Schema } from "effect"
import type { Approval, ApprovalStatus, ApprovalSummary } from "../../Domain/Calls/Approval.ts"
import { Change } from "../../Domain/Calls/Change.ts"
import { ApprovalId, CallId, ConnectionId, GrantId, KeyId, MemberId } from "../../Domain/Ids.ts"
import { Encrypted } from "../../Secrets/Vault.ts"
import { inputOf, WaitingCall } from "./StoredCall.ts"

const Answer = Schema.Struct({
  status: Schema.Int,
  retryAfter: Schema.NullOr(Schema.String),
  body: Schema.String
})
export type Answer = typeof Answer.Type

export const Content = Schema.Struct({
  provider: Schema.String,
  target: Schema.String,
  connectionId: ConnectionId,
  call: WaitingCall,
  changes: Schema.Array(Change),
  answer: Schema.NullOr(Answer)
})
export type Content = typeof Content.Type

export interface StoredApproval extends Content {
  readonly id: ApprovalId
  readonly memberId: MemberId
  readonly holderId: KeyId | GrantId
  readonly status: ApprovalStatus
  readonly decidedBy: MemberId | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly decidedAt: Date | null
  readonly answeredAt: Date | null
  /** Of the call that is sent, or was. */
  readonly callId: CallId | null
}

/** An approved write that this instance sends. */
export interface SentApproval extends StoredApproval {
  readonly callId: CallId
}

/** Without the content, which is encrypted. */
export const ApprovalRow = Schema.Struct({
  ...Encrypted.fields,
  id: ApprovalId,
  memberId: MemberId,
  holderId: Schema.Union([KeyId, GrantId]),
  status: Schema.Literals(["pending", "approved", "denied", "expired", "done"]),
  decidedBy: Schema.NullOr(MemberId),
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  decidedAt: Schema.NullOr(Schema.Date),
  answeredAt: Schema.NullOr(Schema.Date),
  callId: Schema.NullOr(CallId)
})

export const summaryOf = (
  approval: Omit<StoredApproval, "call" | "changes" | "answer">
): ApprovalSummary => ({
  id: approval.id,
  status: approval.status,
  provider: approval.provider,
  target: approval.target,
  connection_id: approval.connectionId,
  asked_by: {
    member_id: approval.memberId,
    key_id: isKey(approval.holderId) ? approval.holderId : null,
    grant_id: isKey(approval.holderId) ? null : approval.holderId
  },
  decided_by: approval.decidedBy,
  created_at: approval.createdAt,
  expires_at: approval.expiresAt
})

const isKey = Schema.is(KeyId)

const parseAnswer = Schema.decodeSync(Schema.fromJsonString(Schema.Unknown))

export const shownApproval = (approval: StoredApproval): Approval => ({
  ...summaryOf(approval),
  input: inputOf(approval.call),
  changes: approval.changes,
  call_id: approval.answer === null ? null : approval.callId,
  response: approval.answer === null ? null : parseAnswer(approval.answer.body)
})
