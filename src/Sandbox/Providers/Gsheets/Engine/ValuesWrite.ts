import { Result } from "effect"
import { columnLetters } from "../../../../Providers/Gsheets/A1.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, sizedArea, widestOf } from "./Area.ts"
import { computeCells } from "./ComputedCells.ts"
import { refuse } from "./Errors.ts"
import { mapArea, usedArea } from "./Grid.ts"
import type { Method } from "./Method.ts"
import { booleanParameter, enumParameter, type QueryParameters } from "./QueryParameters.ts"
import { areaText, checkInGrid, resolveRead, resolveWrite } from "./Ranges.ts"
import { replaceTab, type Spreadsheet, type Tab } from "./Spreadsheet.ts"
import { decodeBatchUpdateValues, decodeClearValues, decodeValueRange, type InputValue, rowsOf } from "./ValueRange.ts"
import { dateTimeRenderOptions, valueRenderOptions } from "./ValuesRead.ts"
import {
  omitZeros,
  type ResponseOptions,
  updateResponse,
  type ValueInputOption,
  type WriteResult,
  writeRows
} from "./WriteCells.ts"

export const valuesUpdate: Method = (spreadsheet, { body, now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    const data = yield* decodeValueRange(body)
    const option = yield* valueInputOption(query)
    const response = yield* responseOptions(query, data.majorDimension)
    yield* checkSameRange(range, data.range)
    const rows = yield* rowsOf(data)
    const written = yield* writeRange(spreadsheet, range, rows, { now, option })
    const after = { spreadsheet: written.spreadsheet, computed: computeCells(written.spreadsheet, now) }
    return { spreadsheet: written.spreadsheet, body: updateResponse(written, response, after) }
  })

export const valuesBatchUpdate: Method = (spreadsheet, { body, now }) =>
  Result.gen(function*() {
    const request = yield* decodeBatchUpdateValues(body)
    const option = yield* requireInputOption(request.valueInputOption)
    let current = spreadsheet
    const all: Array<{ readonly written: WriteResult; readonly major: Dimension }> = []
    for (const data of request.data ?? []) {
      const rows = yield* rowsOf(data)
      const written = yield* writeRange(current, data.range ?? "", rows, { now, option })
      current = written.spreadsheet
      all.push({ written, major: data.majorDimension })
    }
    const after = { spreadsheet: current, computed: computeCells(current, now) }
    const responses = all.map(({ major, written }) =>
      updateResponse(written, {
        includeValues: request.includeValuesInResponse ?? false,
        rendering: {
          valueRenderOption: request.responseValueRenderOption ?? "FORMATTED_VALUE",
          dateTimeRenderOption: request.responseDateTimeRenderOption ?? "SERIAL_NUMBER",
          majorDimension: major === "COLUMNS" ? "COLUMNS" : "ROWS"
        }
      }, after)
    )
    const { spreadsheetId } = spreadsheet
    return { spreadsheet: current, body: { spreadsheetId, ...totals(all.map(({ written }) => written)), responses } }
  })

export const valuesClear: Method = (spreadsheet, { body, params: { range = "" } }) =>
  Result.gen(function*() {
    yield* decodeClearValues(body)
    const { area, tab } = yield* resolveRead(spreadsheet, range)
    const cleared = mapArea(tab, usedArea(tab, area), (cell) => {
      const { textFormatRuns: _runs, userEnteredValue: _value, ...kept } = cell ?? {}
      return kept
    })
    const { spreadsheetId } = spreadsheet
    return { spreadsheet: replaceTab(spreadsheet, cleared), body: { spreadsheetId, clearedRange: areaText(tab, area) } }
  })

type Dimension = "DIMENSION_UNSPECIFIED" | "ROWS" | "COLUMNS" | undefined

const writeRange = (
  spreadsheet: Spreadsheet,
  range: string,
  rows: ReadonlyArray<ReadonlyArray<InputValue>>,
  options: { readonly now: number; readonly option: ValueInputOption }
): Result.Result<WriteResult, GoogleError> =>
  Result.gen(function*() {
    const { area, isAnchor, tab } = yield* resolveWrite(spreadsheet, range)
    const needed = sizedArea(area.top, area.left, rows.length, widestOf(rows))
    yield* isAnchor ? checkInGrid(tab, needed, undefined) : checkWithinRange(tab, area, needed)
    return writeRows(spreadsheet, { ...area, tab }, rows, options)
  })

const checkWithinRange = (tab: Tab, area: Area, needed: Area): Result.Result<void, GoogleError> => {
  const place = needed.bottom > area.bottom
    ? `row [${area.bottom + 1}]`
    : needed.right > area.right
    ? `column [${columnLetters(area.right)}]`
    : undefined
  return place === undefined
    ? Result.void
    : refuse(`Requested writing within range [${areaText(tab, area)}], but tried writing to ${place}`)
}

export const checkSameRange = (path: string, body: string | undefined): Result.Result<void, GoogleError> =>
  body === undefined || body === "" || body === path
    ? Result.void
    : refuse(`Request range[${path}] does not match value's range[${body}]`)

export const valueInputOption = (query: QueryParameters): Result.Result<ValueInputOption, GoogleError> =>
  Result.flatMap(
    enumParameter(query, "valueInputOption", ["INPUT_VALUE_OPTION_UNSPECIFIED", "RAW", "USER_ENTERED"]),
    requireInputOption
  )

const requireInputOption = (
  option: ValueInputOption | "INPUT_VALUE_OPTION_UNSPECIFIED" | undefined
): Result.Result<ValueInputOption, GoogleError> =>
  option === undefined || option === "INPUT_VALUE_OPTION_UNSPECIFIED"
    ? refuse("'valueInputOption' is required but not specified")
    : Result.succeed(option)

export const responseOptions = (
  query: QueryParameters,
  major: Dimension
): Result.Result<ResponseOptions, GoogleError> =>
  Result.map(
    Result.all({
      includeValues: booleanParameter(query, "includeValuesInResponse"),
      valueRenderOption: enumParameter(query, "responseValueRenderOption", valueRenderOptions),
      dateTimeRenderOption: enumParameter(query, "responseDateTimeRenderOption", dateTimeRenderOptions)
    }),
    ({ includeValues, ...rendering }) => ({
      includeValues,
      rendering: { ...rendering, majorDimension: major === "COLUMNS" ? "COLUMNS" : "ROWS" }
    })
  )

const totals = (all: ReadonlyArray<WriteResult>) => {
  const distinct = (of: (cell: WriteResult["cells"][number]) => string | number) =>
    new Set(all.flatMap(({ cells, tab }) => cells.map((cell) => `${tab.sheetId} ${of(cell)}`))).size
  return omitZeros({
    totalUpdatedRows: distinct(({ row }) => row),
    totalUpdatedColumns: distinct(({ column }) => column),
    totalUpdatedCells: all.reduce((sum, { cells }) => sum + cells.length, 0),
    totalUpdatedSheets: distinct(() => "")
  })
}
