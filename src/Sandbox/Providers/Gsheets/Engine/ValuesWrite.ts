import { Result } from "effect"
import { columnLetters } from "../../../../Providers/Gsheets/A1.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Area, sizedArea } from "./Area.ts"
import { compute } from "./Computed.ts"
import { mapArea, usedPart } from "./Grid.ts"
import type { Operation } from "./Operation.ts"
import { oneOf, onlyParameters, type Query, yesOrNo } from "./Query.ts"
import { areaText, inGrid, resolveRead, resolveWrite } from "./RangeText.ts"
import { refuse } from "./Refusal.ts"
import { type Spreadsheet, type Tab, withTab } from "./Spreadsheet.ts"
import { decodeBatchUpdateValues, decodeClearValues, decodeValueRange, type Input, rowsOf } from "./ValuesBody.ts"
import { dateTimeRenderOptions, valueRenderOptions } from "./ValuesRead.ts"
import { counts, type InputOption, type Response, updateResponse, writeRows, type Written } from "./WriteCells.ts"

export const writeParameters = [
  "valueInputOption",
  "includeValuesInResponse",
  "responseValueRenderOption",
  "responseDateTimeRenderOption"
]

export const valuesUpdate: Operation = (spreadsheet, { body, now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, writeParameters)
    const data = yield* decodeValueRange(body)
    const option = yield* inputOption(query)
    const response = yield* responseOf(query, data.majorDimension)
    yield* sameRange(range, data.range)
    const rows = yield* rowsOf(data)
    const written = yield* writeRange(spreadsheet, range, rows, { now, option })
    const after = { spreadsheet: written.spreadsheet, computed: compute(written.spreadsheet, now) }
    return { spreadsheet: written.spreadsheet, body: updateResponse(written, response, after) }
  })

export const valuesBatchUpdate: Operation = (spreadsheet, { body, now, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, [])
    const request = yield* decodeBatchUpdateValues(body)
    const option = yield* chosen(request.valueInputOption)
    let current = spreadsheet
    const all: Array<{ readonly written: Written; readonly major: Dimension }> = []
    for (const data of request.data ?? []) {
      const rows = yield* rowsOf(data)
      const written = yield* writeRange(current, data.range ?? "", rows, { now, option })
      current = written.spreadsheet
      all.push({ written, major: data.majorDimension })
    }
    const after = { spreadsheet: current, computed: compute(current, now) }
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

export const valuesClear: Operation = (spreadsheet, { body, params: { range = "" }, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, [])
    yield* decodeClearValues(body)
    const { area, tab } = yield* resolveRead(spreadsheet, range)
    const cleared = mapArea(tab, usedPart(tab, area), (cell) => {
      const { textFormatRuns: _runs, userEnteredValue: _value, ...kept } = cell ?? {}
      return kept
    })
    const { spreadsheetId } = spreadsheet
    return { spreadsheet: withTab(spreadsheet, cleared), body: { spreadsheetId, clearedRange: areaText(tab, area) } }
  })

type Dimension = "DIMENSION_UNSPECIFIED" | "ROWS" | "COLUMNS" | undefined

const writeRange = (
  spreadsheet: Spreadsheet,
  range: string,
  rows: ReadonlyArray<ReadonlyArray<Input>>,
  options: { readonly now: number; readonly option: InputOption }
): Result.Result<Written, GoogleError> =>
  Result.gen(function*() {
    const { area, isAnchor, tab } = yield* resolveWrite(spreadsheet, range)
    const needed = sizedArea(area.top, area.left, rows.length, Math.max(0, ...rows.map((row) => row.length)))
    yield* isAnchor ? inGrid(tab, needed, undefined) : within(tab, area, needed)
    return writeRows(spreadsheet, tab, area, rows, options)
  })

const within = (tab: Tab, area: Area, needed: Area): Result.Result<void, GoogleError> => {
  const place = needed.bottom > area.bottom
    ? `row [${area.bottom + 1}]`
    : needed.right > area.right
    ? `column [${columnLetters(area.right)}]`
    : undefined
  return place === undefined
    ? Result.void
    : refuse(`Requested writing within range [${areaText(tab, area)}], but tried writing to ${place}`)
}

export const sameRange = (path: string, body: string | undefined): Result.Result<void, GoogleError> =>
  body === undefined || body === "" || body === path
    ? Result.void
    : refuse(`Request range[${path}] does not match value's range[${body}]`)

export const inputOption = (query: Query): Result.Result<InputOption, GoogleError> =>
  Result.flatMap(
    oneOf(query, "valueInputOption", "ValueInputOption", ["INPUT_VALUE_OPTION_UNSPECIFIED", "RAW", "USER_ENTERED"]),
    chosen
  )

const chosen = (
  option: InputOption | "INPUT_VALUE_OPTION_UNSPECIFIED" | undefined
): Result.Result<InputOption, GoogleError> =>
  option === undefined || option === "INPUT_VALUE_OPTION_UNSPECIFIED"
    ? refuse("'valueInputOption' is required but not specified")
    : Result.succeed(option)

export const responseOf = (query: Query, major: Dimension): Result.Result<Response, GoogleError> =>
  Result.map(
    Result.all({
      includeValues: yesOrNo(query, "includeValuesInResponse"),
      valueRenderOption: oneOf(query, "responseValueRenderOption", "ValueRenderOption", valueRenderOptions),
      dateTimeRenderOption: oneOf(query, "responseDateTimeRenderOption", "DateTimeRenderOption", dateTimeRenderOptions)
    }),
    ({ includeValues, ...rendering }) => ({
      includeValues,
      rendering: { ...rendering, majorDimension: major === "COLUMNS" ? "COLUMNS" : "ROWS" }
    })
  )

/** Rows and columns that several ranges share count once. */
const totals = (all: ReadonlyArray<Written>) => {
  const distinct = (of: (cell: Written["cells"][number]) => string | number) =>
    new Set(all.flatMap(({ cells, tab }) => cells.map((cell) => `${tab.sheetId} ${of(cell)}`))).size
  return counts({
    totalUpdatedRows: distinct(({ row }) => row),
    totalUpdatedColumns: distinct(({ column }) => column),
    totalUpdatedCells: all.reduce((sum, { cells }) => sum + cells.length, 0),
    totalUpdatedSheets: distinct(() => "")
  })
}
