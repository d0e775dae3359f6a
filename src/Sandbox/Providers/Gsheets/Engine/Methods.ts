import { Result, Schema } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import { applyFieldMask, parseFieldMask, validateFieldMask } from "../../Google/FieldMask.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { spreadsheetsBatchUpdate } from "./BatchUpdate.ts"
import { spreadsheetsCreate } from "./Create.ts"
import { lacks } from "./Errors.ts"
import { unknownFunctions } from "./Formula/Evaluate.ts"
import { parseFormula } from "./Formula/Parser.ts"
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
      replies: Schema.Array(Schema.Struct({})),
      updatedSpreadsheet: SpreadsheetMessage
    })
  }
}

export const callMethod = (
  endpoint: string,
  spreadsheet: Spreadsheet,
  input: MethodInput
): Result.Result<MethodResult, GoogleError> | undefined => {
  const method = methods[endpoint]
  return method &&
    Result.gen(function*() {
      const result = yield* method.run(spreadsheet, input)
      yield* checkFormulas(result.spreadsheet, spreadsheet)
      return yield* selectFields(result, input, method.response)
    })
}

export const createSpreadsheet = (
  spreadsheetId: string,
  input: Omit<MethodInput, "params">
): Result.Result<MethodResult, GoogleError> =>
  Result.gen(function*() {
    const result = yield* spreadsheetsCreate(spreadsheetId, input)
    yield* checkFormulas(result.spreadsheet)
    return yield* selectFields(result, input, SpreadsheetMessage)
  })

/** Refuses to store a formula that would show a wrong value. */
const checkFormulas = (after: Spreadsheet, before?: Spreadsheet): Result.Result<void, GoogleError> => {
  const known = new Set(before?.tabs.flatMap(({ rows }) => rows))
  for (const row of after.tabs.flatMap(({ rows }) => rows)) {
    if (known.has(row)) continue
    for (const formula of row.flatMap((cell) => formulaOf(cell) ?? [])) {
      const [name] = unknownFunctions(parseFormula(formula))
      if (name !== undefined) return lacks(`the function ${name} of formulas`)
    }
  }
  return Result.void
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
