import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Area } from "./Area.ts"
import { computeCells, type ComputedCells } from "./ComputedCells.ts"
import type { Method } from "./Method.ts"
import { enumParameter, type QueryParameters } from "./QueryParameters.ts"
import { areaText, resolveRead } from "./Ranges.ts"
import { renderedValues, type RenderOptions } from "./RenderedValues.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

export const valuesGet: Method = (spreadsheet, { now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    const rendering = yield* renderingOf(query)
    const body = yield* valueRange(spreadsheet, computeCells(spreadsheet, now), range, rendering)
    return { spreadsheet, body }
  })

export const valuesBatchGet: Method = (spreadsheet, { now, query }) =>
  Result.gen(function*() {
    const rendering = yield* renderingOf(query)
    const computed = computeCells(spreadsheet, now)
    const valueRanges = yield* Result.all(
      (query["ranges"] ?? []).map((range) => valueRange(spreadsheet, computed, range, rendering))
    )
    const { spreadsheetId } = spreadsheet
    return { spreadsheet, body: { spreadsheetId, ...(valueRanges.length === 0 ? {} : { valueRanges }) } }
  })

const renderingOf = (query: QueryParameters): Result.Result<RenderOptions, GoogleError> =>
  Result.map(
    Result.all({
      majorDimension: enumParameter(query, "majorDimension", ["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"]),
      valueRenderOption: enumParameter(query, "valueRenderOption", valueRenderOptions),
      dateTimeRenderOption: enumParameter(query, "dateTimeRenderOption", dateTimeRenderOptions)
    }),
    (options) => ({ ...options, majorDimension: options.majorDimension === "COLUMNS" ? "COLUMNS" : "ROWS" })
  )

export const valueRenderOptions = ["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"] as const
export const dateTimeRenderOptions = ["SERIAL_NUMBER", "FORMATTED_STRING"] as const

const valueRange = (spreadsheet: Spreadsheet, computed: ComputedCells, range: string, rendering: RenderOptions) =>
  Result.map(resolveRead(spreadsheet, range), ({ area, tab }) => valueRangeOf(computed, tab, area, rendering))

export const valueRangeOf = (computed: ComputedCells, tab: Tab, area: Area, rendering: RenderOptions) => {
  const values = renderedValues(computed, tab, area, rendering)
  return {
    range: areaText(tab, area),
    majorDimension: rendering.majorDimension,
    ...(values === undefined ? {} : { values })
  }
}
