import { Result } from "effect"
import { type GoogleError, lacks } from "../../Google/GoogleError.ts"
import type { Area } from "./Area.ts"
import { invalidArgument } from "./Errors.ts"
import { referencesIn } from "./Formula/Tokenizer.ts"
import { formulaOf, trimRows } from "./Grid.ts"
import { equalsIgnoreCase } from "./Ranges.ts"
import { cellCount, limits, replaceTab, type Rows, type Spreadsheet, type Tab } from "./Spreadsheet.ts"

export interface Shift {
  readonly dimension: "ROWS" | "COLUMNS"
  readonly index: number
  /** Negative for a deletion. */
  readonly count: number
}

export const growGrid = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  by: { readonly rows?: number; readonly columns?: number }
): Result.Result<Spreadsheet, GoogleError> =>
  checkCellLimit(replaceTab(spreadsheet, {
    ...tab,
    rowCount: tab.rowCount + (by.rows ?? 0),
    columnCount: tab.columnCount + (by.columns ?? 0)
  }))

export const checkCellLimit = (spreadsheet: Spreadsheet): Result.Result<Spreadsheet, GoogleError> =>
  cellCount(spreadsheet) > limits.cells || spreadsheet.tabs.some(({ columnCount }) => columnCount > limits.columns)
    ? Result.fail(invalidArgument(
      `This action would increase the number of cells in the workbook above the limit of ${limits.cells} cells.`
    ))
    : Result.succeed(spreadsheet)

export const shiftDimension = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  shift: Shift
): Result.Result<Spreadsheet, GoogleError> => {
  const changed = replaceTab(spreadsheet, {
    ...tab,
    ...(shift.dimension === "ROWS"
      ? { rowCount: tab.rowCount + shift.count, rows: shiftRows(tab.rows, shift) }
      : { columnCount: tab.columnCount + shift.count, rows: shiftColumns(tab.rows, shift) }),
    merges: tab.merges.flatMap((merge) => shiftArea(merge, shift))
  })
  return namesMoved(spreadsheet, tab, shift) ? lacks("moves of cells that formulas name") : checkCellLimit(changed)
}

const shiftRows = (rows: Rows, { count, index }: Shift): Rows =>
  trimRows(spliceItems<Rows[number]>(rows, index, count, []))

const shiftColumns = (rows: Rows, { count, index }: Shift): Rows =>
  trimRows(rows.map((row) => spliceItems<Rows[number][number]>(row, index, count, null)))

const spliceItems = <A>(items: ReadonlyArray<A>, index: number, count: number, blank: A): ReadonlyArray<A> => {
  if (index >= items.length) return items
  return count > 0
    ? [...items.slice(0, index), ...Array.from({ length: count }, () => blank), ...items.slice(index)]
    : [...items.slice(0, index), ...items.slice(index - count)]
}

const shiftArea = (area: Area, { count, dimension, index }: Shift): ReadonlyArray<Area> => {
  const after = (place: number) => place <= index ? place : Math.max(index, place + count)
  const [start, end] = dimension === "ROWS" ? [area.top, area.bottom] : [area.left, area.right]
  const from = count > 0 && start >= index ? start + count : after(start)
  const to = count > 0 && end > index ? end + count : after(end)
  if (to <= from) return []
  return [dimension === "ROWS" ? { ...area, top: from, bottom: to } : { ...area, left: from, right: to }]
}

const namesMoved = ({ tabs }: Spreadsheet, { title }: Tab, { dimension, index }: Shift): boolean =>
  tabs.some((home) =>
    home.rows.flat().some((cell) =>
      referencesIn(formulaOf(cell) ?? "").some(({ from, tab = home.title, to }) => {
        const places = dimension === "ROWS" ? [from.row, to?.row] : [from.column, to?.column]
        return equalsIgnoreCase(tab, title) && places.some((place) => place !== undefined && place >= index)
      })
    )
  )
