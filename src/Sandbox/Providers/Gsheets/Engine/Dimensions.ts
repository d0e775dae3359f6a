import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Area } from "./Area.ts"
import { invalidArgument } from "./Errors.ts"
import { type Shift, shiftFormula, shiftSpan } from "./Formula/References.ts"
import { mapFormulas, trimRows } from "./Grid.ts"
import { equalsIgnoreCase } from "./Ranges.ts"
import { cellCount, limits, replaceTab, type Rows, type Spreadsheet, type Tab } from "./Spreadsheet.ts"

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
  const formulas = mapFormulas(
    changed,
    (formula, home) =>
      shiftFormula(
        formula,
        shift,
        (reference) =>
          reference.tab === undefined ? home.sheetId === tab.sheetId : equalsIgnoreCase(reference.tab, tab.title)
      )
  )
  return checkCellLimit(formulas)
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

const shiftArea = (area: Area, shift: Shift): ReadonlyArray<Area> => {
  const span = shift.dimension === "ROWS"
    ? shiftSpan(area.top, area.bottom, shift)
    : shiftSpan(area.left, area.right, shift)
  if (span === undefined) return []
  return [
    shift.dimension === "ROWS"
      ? { ...area, top: span.start, bottom: span.end }
      : { ...area, left: span.start, right: span.end }
  ]
}
