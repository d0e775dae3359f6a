import { Record, Schema } from "effect"
import { BulkCallId, MemberId } from "../../Domain/Ids.ts"
import { Timestamp } from "../../Domain/Validation/Fields.ts"

export const BulkCallSummary = Schema.Struct({
  id: BulkCallId,
  status: Schema.Literals(["queued", "running", "done", "cancelled"]),
  total: Schema.Int.annotate({ description: "How many runs it has, as far as they are known." }),
  done: Schema.Int.annotate({ description: "How many of them have ended, the failed ones included." }),
  failed: Schema.Int,
  partial: Schema.Int.pipe(Schema.optionalKey).annotateKey({
    description: "How many have answered with a part of their rows. Absent if none has."
  }),
  started_at: Schema.NullOr(Timestamp),
  ended_at: Schema.NullOr(Timestamp),
  truncated: Schema.Literal(true).pipe(Schema.optionalKey).annotateKey({
    description: "Rows are missing: the table has 1,000,000, or the member's kept results 1 GiB."
  })
}).annotate({ identifier: "BulkCallSummary" })
export type BulkCallSummary = typeof BulkCallSummary.Type

export const bulkCallEvents = {
  "bulk_call.completed": "a call through many connections is done"
}

export const BulkCallEvent = Schema.Struct({
  type: Schema.Literals(Record.keys(bulkCallEvents)),
  member_id: MemberId.pipe(Schema.optionalKey).annotateKey({
    description: "Whose it is. Receivers of events do not get it."
  }),
  data: Schema.Struct({ bulk_call: BulkCallSummary })
})
