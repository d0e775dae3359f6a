import { Result, Schema } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { spreadsheetsBatchUpdate } from "./BatchUpdate.ts"
import { spreadsheetsCreate } from "./Create.ts"
import type { Operation, OperationInput, Outcome } from "./Operation.ts"
import { lastOf } from "./Query.ts"
import { partial, spreadsheetsGet } from "./Resource.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"
import { valuesAppend } from "./ValuesAppend.ts"
import { ValueRange } from "./ValuesBody.ts"
import { valuesBatchGet, valuesGet } from "./ValuesRead.ts"
import { valuesBatchUpdate, valuesClear, valuesUpdate } from "./ValuesWrite.ts"

const id = Schema.String
const count = Schema.Int
const UpdateResponse = Schema.Struct({
  spreadsheetId: id,
  updatedRange: Schema.String,
  updatedRows: count,
  updatedColumns: count,
  updatedCells: count,
  updatedData: ValueRange
})

interface Method {
  readonly run: Operation
  /** What the parameter `fields` can name. */
  readonly response: Schema.Top
}

/** The methods that work on a spreadsheet which is there, by the id of their raw endpoint. */
const methods: Readonly<Record<string, Method>> = {
  "spreadsheets.get": { run: spreadsheetsGet, response: SpreadsheetMessage },
  "values.get": { run: valuesGet, response: ValueRange },
  "values.batchGet": {
    run: valuesBatchGet,
    response: Schema.Struct({ spreadsheetId: id, valueRanges: Schema.Array(ValueRange) })
  },
  "values.update": { run: valuesUpdate, response: UpdateResponse },
  "values.append": {
    run: valuesAppend,
    response: Schema.Struct({ spreadsheetId: id, tableRange: Schema.String, updates: UpdateResponse })
  },
  "values.batchUpdate": {
    run: valuesBatchUpdate,
    response: Schema.Struct({
      spreadsheetId: id,
      totalUpdatedRows: count,
      totalUpdatedColumns: count,
      totalUpdatedCells: count,
      totalUpdatedSheets: count,
      responses: Schema.Array(UpdateResponse)
    })
  },
  "values.clear": { run: valuesClear, response: Schema.Struct({ spreadsheetId: id, clearedRange: Schema.String }) },
  "spreadsheets.batchUpdate": {
    run: spreadsheetsBatchUpdate,
    response: Schema.Struct({
      spreadsheetId: id,
      replies: Schema.Array(Schema.Struct({})),
      updatedSpreadsheet: SpreadsheetMessage
    })
  }
}

export interface Answer {
  readonly spreadsheet: Spreadsheet
  readonly body: unknown
}

/** Carries out a raw endpoint on a spreadsheet; `undefined` where it is none that works on one. */
export const answer = (
  endpoint: string,
  spreadsheet: Spreadsheet,
  input: OperationInput
): Result.Result<Answer, GoogleError> | undefined => {
  const method = methods[endpoint]
  return method && Result.flatMap(method.run(spreadsheet, input), (outcome) => cut(outcome, input, method.response))
}

/** Makes a spreadsheet with that id. */
export const create = (
  spreadsheetId: string,
  input: Omit<OperationInput, "params">
): Result.Result<Answer, GoogleError> =>
  Result.flatMap(spreadsheetsCreate(spreadsheetId, input), (outcome) => cut(outcome, input, SpreadsheetMessage))

const cut = (
  { body, spreadsheet }: Outcome,
  { query }: Pick<OperationInput, "query">,
  response: Schema.Top
): Result.Result<Answer, GoogleError> =>
  Result.map(partial(body, lastOf(query, "fields"), response.ast), (body) => ({ spreadsheet, body }))
