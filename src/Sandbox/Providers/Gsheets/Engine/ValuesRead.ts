import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Area } from "./Area.ts"
import { compute, type Computed } from "./Computed.ts"
import type { Operation } from "./Operation.ts"
import { oneOf, onlyParameters, type Query } from "./Query.ts"
import { areaText, resolveRead } from "./RangeText.ts"
import { renderedValues, type Rendering } from "./Rendered.ts"
import type { Spreadsheet, Tab } from "./Spreadsheet.ts"

const readParameters = ["majorDimension", "valueRenderOption", "dateTimeRenderOption"]

export const valuesGet: Operation = (spreadsheet, { now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, readParameters)
    const rendering = yield* renderingOf(query)
    const body = yield* valueRange(spreadsheet, compute(spreadsheet, now), range, rendering)
    return { spreadsheet, body }
  })

export const valuesBatchGet: Operation = (spreadsheet, { now, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, ["ranges", ...readParameters])
    const rendering = yield* renderingOf(query)
    const computed = compute(spreadsheet, now)
    const valueRanges = yield* Result.all(
      (query["ranges"] ?? []).map((range) => valueRange(spreadsheet, computed, range, rendering))
    )
    const { spreadsheetId } = spreadsheet
    return { spreadsheet, body: { spreadsheetId, ...(valueRanges.length === 0 ? {} : { valueRanges }) } }
  })

const renderingOf = (query: Query): Result.Result<Rendering, GoogleError> =>
  Result.map(
    Result.all({
      majorDimension: oneOf(query, "majorDimension", "Dimension", ["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"]),
      valueRenderOption: oneOf(query, "valueRenderOption", "ValueRenderOption", valueRenderOptions),
      dateTimeRenderOption: oneOf(query, "dateTimeRenderOption", "DateTimeRenderOption", dateTimeRenderOptions)
    }),
    (options) => ({ ...options, majorDimension: options.majorDimension === "COLUMNS" ? "COLUMNS" : "ROWS" })
  )

export const valueRenderOptions = ["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"] as const
export const dateTimeRenderOptions = ["SERIAL_NUMBER", "FORMATTED_STRING"] as const

const valueRange = (spreadsheet: Spreadsheet, computed: Computed, range: string, rendering: Rendering) =>
  Result.map(resolveRead(spreadsheet, range), ({ area, tab }) => valueRangeOf(computed, tab, area, rendering))

export const valueRangeOf = (computed: Computed, tab: Tab, area: Area, rendering: Rendering) => {
  const values = renderedValues(computed, tab, area, rendering)
  return {
    range: areaText(tab, area),
    majorDimension: rendering.majorDimension,
    ...(values === undefined ? {} : { values })
  }
}
