import { Effect } from "effect"
import type { ProviderError } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { type Lines, ValueRange, ValueRanges } from "./Answers.ts"
import { valuesBatchGet, valuesGet } from "./Endpoints.ts"

/** More cells than that are not read at once; a spreadsheet can have ten million. */
export const mostCells = 500_000

export type Rendering = "UNFORMATTED_VALUE" | "FORMATTED_VALUE" | "FORMULA"

/** Dates and times are texts, as the cell shows them. */
const options = (rendering: Rendering) => ({
  majorDimension: "ROWS" as const,
  valueRenderOption: rendering,
  dateTimeRenderOption: "FORMATTED_STRING" as const
})

export const readLines = (
  provider: ProviderCalls,
  spreadsheetId: string,
  range: string,
  rendering: Rendering = "UNFORMATTED_VALUE"
): Effect.Effect<Lines, ProviderError> =>
  Effect.map(
    provider.call(valuesGet, { path: { spreadsheetId, range }, query: options(rendering) }, ValueRange),
    ({ values = [] }) => values
  )

/** One request for all of them. */
export const readSeveral = (
  provider: ProviderCalls,
  spreadsheetId: string,
  ranges: ReadonlyArray<string>,
  rendering: Rendering = "UNFORMATTED_VALUE"
): Effect.Effect<ReadonlyArray<Lines>, ProviderError> =>
  Effect.map(
    provider.call(valuesBatchGet, { path: { spreadsheetId }, query: { ranges, ...options(rendering) } }, ValueRanges),
    ({ valueRanges = [] }) => ranges.map((_, index) => valueRanges[index]?.values ?? [])
  )
