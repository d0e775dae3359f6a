import { Schema } from "effect"
import { TablePart } from "../../Domain/Calls/TablePart.ts"
import { BulkCallId, CallId, ConnectionId, HolderId, MemberId, ResultId } from "../../Domain/Ids.ts"
import { Encrypted } from "../../Secrets/Vault.ts"
import type { ResultSource } from "../Results/Kept/StoredResult.ts"
import { BulkCallSummary } from "./Declared.ts"

/** What each run asks. */
export const BulkRequest = Schema.Struct({
  provider: Schema.String,
  endpoint: Schema.optionalKey(Schema.String),
  tool: Schema.optionalKey(Schema.String),
  input: Schema.Record(Schema.String, Schema.Unknown),
  max_age: Schema.optionalKey(Schema.Int),
  select: Schema.optionalKey(Schema.String),
  resources: Schema.optionalKey(Schema.Union([Schema.Literal("all"), Schema.Array(Schema.String)])),
  /** Where the input names its resource. */
  place: Schema.optionalKey(Schema.Array(Schema.String))
})
export type BulkRequest = typeof BulkRequest.Type

export const Stored = Schema.Struct({
  id: BulkCallId,
  status: BulkCallSummary.fields.status,
  startedAt: Schema.NullOr(Schema.Date),
  endedAt: Schema.NullOr(Schema.Date),
  resultId: ResultId,
  truncated: Schema.Boolean
})
export type StoredBulkCall = typeof Stored.Type

export const Claim = Schema.Struct({
  ...Stored.fields,
  ...Encrypted.fields,
  memberId: MemberId,
  holder: HolderId
})
/** A bulk call that this instance works on. */
export type Claim = typeof Claim.Type

export const Run = Schema.Struct({
  id: Schema.String,
  place: Schema.Int,
  connectionId: ConnectionId,
  resource: Schema.NullOr(Schema.String),
  isList: Schema.Boolean
})
export type Run = typeof Run.Type

export interface RunFailure {
  readonly code: string
  readonly message: string
}

export interface RunRows {
  readonly source: ResultSource
  readonly rows: number
  /** The text of `MakeTable`. */
  readonly table: string
}

export const EndedRun = Schema.Struct({
  ...Run.fields,
  callId: Schema.NullOr(CallId),
  code: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  page: Schema.NullOr(TablePart)
})
export type EndedRun = typeof EndedRun.Type

export const Count = Schema.Struct({
  connectionId: ConnectionId,
  status: Schema.Literals(["pending", "ok", "failed"]),
  code: Schema.NullOr(Schema.String),
  count: Schema.Int,
  parts: Schema.Int
})
export type Count = typeof Count.Type

export const summaryOf = (
  { endedAt, id, startedAt, status, truncated }: StoredBulkCall,
  counts: ReadonlyArray<Count>
): BulkCallSummary => {
  const sum = (which: (status: Count["status"]) => boolean) =>
    counts.reduce((all, { count, status }) => which(status) ? all + count : all, 0)
  const partial = counts.reduce((all, { parts }) => all + parts, 0)
  return {
    id,
    status,
    total: sum(() => true),
    done: sum((each) => each !== "pending"),
    failed: sum((each) => each === "failed"),
    ...partial === 0 ? {} : { partial },
    started_at: startedAt,
    ended_at: endedAt,
    ...truncated ? { truncated } : {}
  }
}
