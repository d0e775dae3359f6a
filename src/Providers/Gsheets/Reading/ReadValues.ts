import { Effect } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { type CellRows, withoutReasons } from "../CellValues.ts"
import { valuesBatchGet, valuesGet } from "../Endpoints.ts"
import { BatchGetValuesResponse, ValueRange } from "../Responses.ts"

/** A spreadsheet can have ten million cells. */
export const maxCellsPerRead = 500_000

export type Rendering = "UNFORMATTED_VALUE" | "FORMATTED_VALUE" | "FORMULA"

export const renderedAs = (rendering: Rendering) => ({
  majorDimension: "ROWS" as const,
  valueRenderOption: rendering,
  dateTimeRenderOption: "FORMATTED_STRING" as const
})

export const readValues = (
  provider: ProviderCalls,
  spreadsheetId: string,
  range: string,
  rendering: Rendering = "UNFORMATTED_VALUE"
): Effect.Effect<CellRows, ToolCallError> =>
  Effect.map(
    provider.call(valuesGet, { path: { spreadsheetId, range }, query: renderedAs(rendering) }, ValueRange),
    ({ values = [] }) => cellsOf(values, rendering)
  )

export const readRanges = (
  provider: ProviderCalls,
  spreadsheetId: string,
  ranges: ReadonlyArray<string>,
  rendering: Rendering = "UNFORMATTED_VALUE"
): Effect.Effect<ReadonlyArray<CellRows>, ToolCallError> =>
  Effect.map(
    provider.call(
      valuesBatchGet,
      { path: { spreadsheetId }, query: { ranges, ...renderedAs(rendering) } },
      BatchGetValuesResponse
    ),
    ({ valueRanges = [] }) => ranges.map((_, index) => cellsOf(valueRanges[index]?.values ?? [], rendering))
  )

const cellsOf = (rows: CellRows, rendering: Rendering): CellRows =>
  rendering === "UNFORMATTED_VALUE" ? withoutReasons(rows) : rows
