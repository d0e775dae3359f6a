import { Effect, Option, Schema } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import { partial } from "../../Google/Message.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { type CellRange, parseCells, splitTab } from "../A1.ts"
import { spreadsheetsGet } from "../Endpoints.ts"
import { readMetadata, type Tab, tabsOf } from "../Tabs.ts"
import { type Area, clipped, hasCells, rangeOf, sheetsWith } from "./Grids.ts"

export interface Place {
  readonly tab: Tab
  readonly cells: CellRange
}

/** Finds the tab and the first cell of a range. The provider resolves what is not in A1 notation. */
export const placeOf = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  file: string,
  tabs: ReadonlyArray<Tab>,
  range: string
): Effect.fn.Return<Place | undefined, ToolCallError> {
  const split = splitTab(range)
  const cells = parseCells(split.cells)
  const titled = (title: string) =>
    tabs.find((tab) => tab.title === title) ??
      tabs.find((tab) => tab.title.toLowerCase() === title.toLowerCase())
  const tab = split.tab === undefined || split.tab === "" ? tabs.find(({ hidden }) => !hidden) : titled(split.tab)
  if (cells !== undefined && tab !== undefined && titled(range) === undefined) return { tab, cells }
  const whole = titled(range.replace(/^'(.*)'$/su, "$1").replaceAll("''", "'"))
  if (whole !== undefined) return { tab: whole, cells: { top: 0, left: 0, bottom: undefined, right: undefined } }
  return yield* resolvedPlace(provider, file, tabs, range)
})

const Resolved = sheetsWith(partial({
  startRow: Schema.Int,
  startColumn: Schema.Int,
  rowMetadata: Schema.Array(Schema.Unknown),
  columnMetadata: Schema.Array(Schema.Unknown)
}))

const resolvedPlace = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  file: string,
  tabs: ReadonlyArray<Tab>,
  range: string
): Effect.fn.Return<Place | undefined, ToolCallError> {
  const { sheets = [] } = yield* provider.call(spreadsheetsGet, {
    path: { spreadsheetId: file },
    query: {
      ranges: [range],
      fields: "sheets(properties(sheetId),data(startRow,startColumn,rowMetadata(pixelSize),columnMetadata(pixelSize)))"
    }
  }, Resolved)
  const found = sheets.find(({ data = [] }) => data.length > 0)
  const tab = tabs.find(({ id }) => id === (found?.properties.sheetId ?? 0))
  const grid = found?.data?.[0]
  if (tab === undefined || grid === undefined) return undefined
  const { columnMetadata = [], rowMetadata = [], startColumn: left = 0, startRow: top = 0 } = grid
  return { tab, cells: { top, left, bottom: top + rowMetadata.length, right: left + columnMetadata.length } }
})

export const readTabs = (provider: ProviderCalls, file: string) =>
  Effect.map(readMetadata(provider, { spreadsheetId: file }), tabsOf)

/** `use` gets the provider's response for the areas, and returns `null` if it is not the expected one. */
export const readGrids = <A, E>(
  provider: ProviderCalls,
  file: string,
  areas: ReadonlyArray<Area>,
  use: (answer: JsonText) => Effect.Effect<A | null, E>
): Effect.Effect<A, ToolCallError | E> => {
  const asked = clipped(areas).filter(hasCells)
  const decode = (answer: JsonText) => Effect.map(use(answer), Option.fromNullOr)
  if (asked.length === 0) return Effect.map(decode(JsonText.stringify({})), Option.getOrThrow)
  const query = {
    ranges: asked.map(rangeOf),
    fields: "sheets(properties(sheetId),data(startRow,startColumn,rowData(values(userEnteredValue," +
      "userEnteredFormat(numberFormat),textFormatRuns))))"
  }
  return provider.callWith(spreadsheetsGet, { path: { spreadsheetId: file }, query }, decode)
}
