import { Effect, Schema } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { type CellRange, parseCells, rangeOnTab, type Rectangle, rectangleName, splitTab } from "../A1.ts"
import type { CellValue } from "../CellValues.ts"
import { spreadsheetsGet } from "../Endpoints.ts"
import { CellData, CellFormat } from "../Generated.ts"
import { metadataFields, SpreadsheetMetadata } from "../Responses.ts"
import { type Tab, tabsOf } from "../Tabs.ts"

/** What a write of values can change in a cell. */
export const KeptCell = Schema.Struct({
  userEnteredValue: CellData.fields.userEnteredValue,
  userEnteredFormat: Schema.optionalKey(Schema.Struct({ numberFormat: CellFormat.fields.numberFormat })),
  textFormatRuns: CellData.fields.textFormatRuns
})
export type KeptCell = typeof KeptCell.Type

export const keptFields = "userEnteredValue,userEnteredFormat.numberFormat,textFormatRuns"

const Grid = Schema.Struct({
  startRow: Schema.optionalKey(Schema.Int),
  startColumn: Schema.optionalKey(Schema.Int),
  rowData: Schema.optionalKey(Schema.Array(Schema.Struct({ values: Schema.optionalKey(Schema.Array(KeptCell)) })))
})

const Grids = Schema.Struct({
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({
    properties: Schema.Struct({ sheetId: Schema.optionalKey(Schema.Int) }),
    data: Schema.optionalKey(Schema.Array(Grid))
  })))
})

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

const Resolved = Schema.Struct({
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({
    properties: Schema.Struct({ sheetId: Schema.optionalKey(Schema.Int) }),
    data: Schema.optionalKey(Schema.Array(Schema.Struct({
      startRow: Schema.optionalKey(Schema.Int),
      startColumn: Schema.optionalKey(Schema.Int),
      rowMetadata: Schema.optionalKey(Schema.Array(Schema.Unknown)),
      columnMetadata: Schema.optionalKey(Schema.Array(Schema.Unknown))
    })))
  })))
})

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
  Effect.map(
    provider.call(
      spreadsheetsGet,
      { path: { spreadsheetId: file }, query: { fields: metadataFields } },
      SpreadsheetMetadata
    ),
    tabsOf
  )

export interface Area extends Rectangle {
  readonly tab: Tab
}

export type CellReader = (row: number, column: number) => KeptCell

const empty: KeptCell = {}

/** Cells beyond the grid are empty. */
export const readCells = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  file: string,
  areas: ReadonlyArray<Area>
): Effect.fn.Return<ReadonlyArray<CellReader>, ToolCallError> {
  const clipped = areas.map(({ bottom, left, right, tab, top }) => ({
    tab,
    top,
    left,
    bottom: Math.min(bottom, tab.size.rows),
    right: Math.min(right, tab.size.columns)
  }))
  const asked = clipped.filter(({ bottom, left, right, top }) => bottom > top && right > left)
  if (asked.length === 0) return areas.map(() => () => empty)
  const { sheets = [] } = yield* provider.call(spreadsheetsGet, {
    path: { spreadsheetId: file },
    query: {
      ranges: asked.map((area) => rangeOnTab(area.tab.title, rectangleName(area))),
      fields: "sheets(properties(sheetId),data(startRow,startColumn,rowData(values(userEnteredValue," +
        "userEnteredFormat(numberFormat),textFormatRuns))))"
    }
  }, Grids)
  return clipped.map((area) => {
    const grids = sheets.filter(({ properties }) => (properties.sheetId ?? 0) === area.tab.id)
      .flatMap(({ data = [] }) => data)
    const grid = grids[asked.filter(({ tab }) => tab.id === area.tab.id).indexOf(area)]
    const { rowData = [], startColumn = 0, startRow = 0 } = grid ?? {}
    return (row, column) => rowData[row - startRow]?.values?.[column - startColumn] ?? empty
  })
})

/** Formulas as texts, `null` for an empty cell. */
export const shownCell = ({ userEnteredValue: value }: KeptCell): CellValue =>
  value?.formulaValue ?? value?.stringValue ?? value?.numberValue ?? value?.boolValue ?? null
