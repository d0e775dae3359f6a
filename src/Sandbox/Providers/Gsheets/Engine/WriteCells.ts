import { type Area, sizedArea, widestOf } from "./Area.ts"
import type { ComputedCells } from "./ComputedCells.ts"
import { cellAt, type Edit, editCells } from "./Grid.ts"
import { areaText } from "./Ranges.ts"
import { type RenderOptions } from "./RenderedValues.ts"
import { type Cell, replaceTab, type Spreadsheet, type Tab } from "./Spreadsheet.ts"
import { parseUserEntered } from "./UserEntered.ts"
import { enteredOf } from "./Value.ts"
import type { InputValue } from "./ValueRange.ts"
import { valueRangeOf } from "./ValuesRead.ts"

export type ValueInputOption = "RAW" | "USER_ENTERED"

export interface WriteResult {
  readonly spreadsheet: Spreadsheet
  readonly tab: Tab
  readonly area: Area
  readonly cells: ReadonlyArray<Edit>
}

export const writeRows = (
  spreadsheet: Spreadsheet,
  { left, tab, top }: Pick<Area, "left" | "top"> & { readonly tab: Tab },
  rows: ReadonlyArray<ReadonlyArray<InputValue>>,
  { now, option }: { readonly now: number; readonly option: ValueInputOption }
): WriteResult => {
  const thisYear = new Date(now).getUTCFullYear()
  const cells = rows.flatMap((row, down) =>
    row.flatMap((input, right): ReadonlyArray<Edit> => {
      if (input === null) return []
      const before = cellAt(tab, top + down, left + right)
      return [{ row: top + down, column: left + right, cell: enterValue(before, input, option, thisYear) }]
    })
  )
  const written = editCells(tab, cells)
  const area = sizedArea(top, left, Math.max(1, rows.length), Math.max(1, widestOf(rows)))
  return { spreadsheet: replaceTab(spreadsheet, written), tab: written, area, cells }
}

const enterValue = (
  before: Cell | null,
  input: string | number | boolean,
  option: ValueInputOption,
  thisYear: number
): Cell => {
  const { textFormatRuns: _, ...kept } = before ?? {}
  const numberFormat = kept.userEnteredFormat?.numberFormat
  if (option === "RAW" || typeof input !== "string" || input === "" || numberFormat?.type === "TEXT") {
    return { ...kept, userEnteredValue: enteredOf(input) }
  }
  const { format, value } = parseUserEntered(input, thisYear)
  return {
    ...kept,
    userEnteredValue: value,
    ...(format === undefined || numberFormat !== undefined
      ? {}
      : { userEnteredFormat: { ...kept.userEnteredFormat, numberFormat: format } })
  }
}

export interface ResponseOptions {
  readonly includeValues: boolean
  readonly rendering: RenderOptions
}

export const updateResponse = (
  { area, cells, spreadsheet: { spreadsheetId }, tab: { sheetId } }: WriteResult,
  { includeValues, rendering }: ResponseOptions,
  after: { readonly spreadsheet: Spreadsheet; readonly computed: ComputedCells }
) => {
  const tab = after.spreadsheet.tabs.find((tab) => tab.sheetId === sheetId)
  return {
    spreadsheetId,
    ...(tab === undefined ? {} : { updatedRange: areaText(tab, area) }),
    ...omitZeros({
      updatedRows: new Set(cells.map(({ row }) => row)).size,
      updatedColumns: new Set(cells.map(({ column }) => column)).size,
      updatedCells: cells.length
    }),
    ...(includeValues && tab !== undefined ? { updatedData: valueRangeOf(after.computed, tab, area, rendering) } : {})
  }
}

export const omitZeros = (numbers: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(numbers).filter(([, count]) => count > 0))
