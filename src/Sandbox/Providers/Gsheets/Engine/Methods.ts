import { Result, Schema } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import { applyFieldMask, parseFieldMask, validateFieldMask } from "../../Google/FieldMask.ts"
import { GoogleError, lacks } from "../../Google/GoogleError.ts"
import { spreadsheetsBatchUpdate } from "./BatchUpdate.ts"
import { computeCells } from "./ComputedCells.ts"
import { spreadsheetsCreate } from "./Create.ts"
import { formulaOf } from "./Grid.ts"
import type { Method, MethodInput, MethodResult } from "./Method.ts"
import { lastValue } from "./QueryParameters.ts"
import { spreadsheetsGet } from "./Resource.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"
import { ValueRange } from "./ValueRange.ts"
import { valuesAppend } from "./ValuesAppend.ts"
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

interface MethodEntry {
  readonly run: Method
  readonly response: Schema.Top
}

const methods: Readonly<Record<string, MethodEntry>> = {
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
      replies: Schema.Array(Schema.Struct({}))
    })
  }
}

export const callMethod = (
  endpoint: string,
  spreadsheet: Spreadsheet,
  input: MethodInput
): Result.Result<MethodResult, GoogleError> => {
  const method = methods[endpoint]
  return method === undefined
    ? lacks(`the endpoint ${endpoint}`)
    : finish(() => method.run(spreadsheet, input), input, method.response, spreadsheet)
}

export const createSpreadsheet = (
  spreadsheetId: string,
  input: Omit<MethodInput, "params">
): Result.Result<MethodResult, GoogleError> =>
  finish(() => spreadsheetsCreate(spreadsheetId, input), input, SpreadsheetMessage)

/** What the sandbox lacks is thrown wherever a value is parsed, computed or shown. */
const finish = (
  run: () => Result.Result<MethodResult, GoogleError>,
  input: Pick<MethodInput, "now" | "query">,
  response: Schema.Top,
  before?: Spreadsheet
): Result.Result<MethodResult, GoogleError> => {
  try {
    return Result.flatMap(run(), (result) => {
      checkFormulas(result.spreadsheet, input.now, before)
      return selectFields(result, input, response)
    })
  } catch (error) {
    if (error instanceof GoogleError) return Result.fail(error)
    throw error
  }
}

/** Computes new formulas, so that one that the sandbox lacks is not stored. */
const checkFormulas = (after: Spreadsheet, now: number, before?: Spreadsheet): void => {
  const known = new Set(before?.tabs.flatMap(({ rows }) => rows))
  const { textAt } = computeCells(after, now)
  for (const tab of after.tabs) {
    for (const [row, cells] of tab.rows.entries()) {
      if (known.has(cells)) continue
      for (const [column, cell] of cells.entries()) if (formulaOf(cell) !== undefined) textAt(tab, row, column)
    }
  }
}

const selectFields = (
  result: MethodResult,
  { query }: Pick<MethodInput, "query">,
  response: Schema.Top
): Result.Result<MethodResult, GoogleError> => {
  const fields = lastValue(query, "fields")
  if (fields === undefined || fields === "") return Result.succeed(result)
  return Result.gen(function*() {
    const mask = yield* parseFieldMask(fields)
    yield* validateFieldMask(mask, response.ast)
    return { ...result, body: applyFieldMask(mask, result.body) }
  })
}
