import { Schema } from "effect"
import { TablePart } from "../../Domain/Calls/TablePart.ts"
import { ResultId } from "../../Domain/Ids.ts"
import { Timestamp } from "../../Domain/Validation/Fields.ts"

export const ResultColumn = Schema.Struct({
  name: Schema.String,
  type: Schema.Literals(["text", "number", "boolean", "date"])
}).annotate({ identifier: "ResultColumn" })

export const KeptResult = Schema.Struct({
  id: ResultId,
  columns: Schema.Array(ResultColumn),
  rows: Schema.Int.annotate({ description: "How many rows it has." }),
  bytes: Schema.Int.annotate({ description: "Of its rows as JSON." }),
  expires_at: Timestamp
}).annotate({ identifier: "KeptResult" })
export type KeptResult = typeof KeptResult.Type

export const ResultSummary = Schema.Struct({
  ...KeptResult.fields,
  columns: KeptResult.fields.columns.annotate({
    description: "Absent where they take more than 4 kB: `GET /v1/results/:id` has them."
  }).pipe(Schema.optionalKey),
  part: TablePart.pipe(Schema.optionalKey)
}).annotate({ identifier: "ResultSummary" })
export type ResultSummary = typeof ResultSummary.Type
