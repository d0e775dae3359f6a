import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { hash } from "node:crypto"
import { ErrorBody } from "../../Api/ErrorBody.ts"
import type { StoredSubject } from "../../Calls/DataAccess.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { Change, NotShown } from "../../Domain/Calls/Change.ts"
import { ApprovalId, CallId, ConnectionId, GrantId, KeyId, MemberId } from "../../Domain/Ids.ts"
import { Encrypted } from "../../Secrets/Vault.ts"
import type { Approval } from "./Contract.ts"
import type { ApprovalStatus, ApprovalSummary } from "./Declared.ts"
import { inputOf, WaitingCall } from "./StoredCall.ts"

export const WriteResult = Schema.Struct({
  status: Schema.Int,
  retryAfter: Schema.NullOr(Schema.String),
  body: Schema.String
})
export type WriteResult = typeof WriteResult.Type

const Texts = Schema.Array(Schema.String)

/** A call, and the resources of its input, which approvals of earlier versions lack. */
export const Asked = Schema.Struct({
  call: WaitingCall,
  subject: Schema.optionalKey(Schema.Struct({
    names: Texts,
    urls: Texts,
    creates: Schema.optionalKey(Schema.String)
  }))
})
export type Asked = typeof Asked.Type

export const Changes = Schema.Array(Change)

/** What lists show. Approvals of earlier versions lack some fields, and have the large parts here too. */
export const Head = Schema.Struct({
  provider: Schema.String,
  target: Schema.String,
  connectionId: ConnectionId,
  resourceName: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  resourceUrl: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  notShown: NotShown.pipe(Schema.withDecodingDefaultKey(Effect.succeed({ changes: 0, cells: 0, characters: 0 }))),
  truncated: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  /** Covers all changes, also those that are not shown. */
  changesHash: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  call: Schema.optionalKey(WaitingCall),
  changes: Schema.optionalKey(Changes),
  answer: Schema.optionalKey(Schema.NullOr(WriteResult))
})
export type Head = typeof Head.Type

/** The key or grant that asks, and the call that it wants to make. */
export interface Question {
  readonly principal: Principal
  readonly provider: string
  readonly target: string
  readonly connectionId: ConnectionId
  readonly call: WaitingCall
}

/** What a person is shown about the call. */
export interface Shown extends Pick<Head, "resourceName" | "resourceUrl"> {
  readonly subject: StoredSubject
  /** All changes, none shortened. */
  readonly changes: ReadonlyArray<Change>
}

/** An approval without its head, which is encrypted. */
export const ApprovalRow = Schema.Struct({
  ...Encrypted.fields,
  id: ApprovalId,
  memberId: MemberId,
  /** The key or grant that asks. */
  holderId: Schema.Union([KeyId, GrantId]),
  status: Schema.Literals(["pending", "approved", "denied", "expired", "done"]),
  decidedBy: Schema.NullOr(MemberId),
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  decidedAt: Schema.NullOr(Schema.Date),
  takenAt: Schema.NullOr(Schema.Date),
  /** The call that sends the write. */
  callId: Schema.NullOr(CallId),
  errorCode: Schema.NullOr(Schema.String)
})
export type ApprovalRow = typeof ApprovalRow.Type

/** An approval expires without a change of its row. */
export const approvalColumns = (sql: SqlClient, now: Date) =>
  sql`id, member_id AS "memberId", holder_id AS "holderId",
    CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END AS status,
    decided_by AS "decidedBy", created_at AS "createdAt", expires_at AS "expiresAt", decided_at AS "decidedAt",
    answered_at AS "takenAt", call_id AS "callId", error_code AS "errorCode", content AS bytes,
    encryption_key_id AS "encryptionKeyId"`

export const hasStatus = (sql: SqlClient, status: ApprovalStatus, now: Date) => {
  switch (status) {
    case "pending":
      return sql`status = 'pending' AND expires_at > ${now}`
    case "expired":
      return sql`(status = 'expired' OR status = 'pending' AND expires_at <= ${now})`
    default:
      return sql`status = ${status}`
  }
}

export interface StoredApproval extends Omit<ApprovalRow, keyof Encrypted>, Head {}

/** An approved write that this instance sends. */
export interface SentApproval extends StoredApproval {
  readonly callId: CallId
}

export const hashChanges = (changes: ReadonlyArray<Change>): string => hash("sha256", JSON.stringify(changes))

export const askedBy = ({ holderId, memberId }: Pick<ApprovalRow, "holderId" | "memberId">) => ({
  member_id: memberId,
  key_id: isKey(holderId) ? holderId : null,
  grant_id: isKey(holderId) ? null : holderId
})

const isKey = Schema.is(KeyId)

export const summaryOf = (approval: StoredApproval): ApprovalSummary => ({
  id: approval.id,
  status: approval.status,
  provider: approval.provider,
  target: approval.target,
  connection_id: approval.connectionId,
  resource_name: approval.resourceName,
  resource_url: approval.resourceUrl,
  asked_by: askedBy(approval),
  decided_by: approval.decidedBy,
  created_at: approval.createdAt,
  expires_at: approval.expiresAt,
  not_shown: approval.notShown,
  ...approval.truncated ? { truncated: true } : {},
  call_id: approval.status === "done" ? approval.callId : null,
  error_code: approval.errorCode
})

const decodeError = Schema.decodeOption(Schema.fromJsonString(ErrorBody))

export const errorCodeOf = ({ body, status }: WriteResult): string | null =>
  status < 400
    ? null
    : Option.getOrElse(Option.map(decodeError(body), ({ error }) => error.code), () => "internal_error")

export interface ApprovalContent extends Asked {
  readonly changes: ReadonlyArray<Change>
  readonly answer: WriteResult | null
}

const parseBody = Schema.decodeSync(Schema.fromJsonString(Schema.Unknown))

/** Has no content for callers that may no longer see it. */
export const shownApproval = (approval: StoredApproval, content: ApprovalContent | undefined): Approval => ({
  ...summaryOf(approval),
  ...content === undefined ? {} : {
    input: inputOf(content.call),
    changes: content.changes,
    response: content.answer === null ? null : parseBody(content.answer.body)
  }
})
