import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Area } from "./Area.ts"
import { type Shift, shiftedFormula, shiftedSpan } from "./Formula/References.ts"
import { mapFormulas, trimmed } from "./Grid.ts"
import { same } from "./RangeText.ts"
import { invalidArgument } from "./Refusal.ts"
import { cellCount, limits, type Rows, type Spreadsheet, type Tab, withTab } from "./Spreadsheet.ts"

/** The rows or columns of a tab grown at the end. */
export const grown = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  by: { readonly rows?: number; readonly columns?: number }
): Result.Result<Spreadsheet, GoogleError> =>
  withinLimits(withTab(spreadsheet, {
    ...tab,
    rowCount: tab.rowCount + (by.rows ?? 0),
    columnCount: tab.columnCount + (by.columns ?? 0)
  }))

export const withinLimits = (spreadsheet: Spreadsheet): Result.Result<Spreadsheet, GoogleError> =>
  cellCount(spreadsheet) > limits.cells || spreadsheet.tabs.some(({ columnCount }) => columnCount > limits.columns)
    ? Result.fail(invalidArgument(
      `This action would increase the number of cells in the workbook above the limit of ${limits.cells} cells.`
    ))
    : Result.succeed(spreadsheet)

/** Rows or columns put in or taken out, with everything that refers to what is behind them. */
export const shifted = (spreadsheet: Spreadsheet, tab: Tab, shift: Shift): Result.Result<Spreadsheet, GoogleError> => {
  const changed = withTab(spreadsheet, {
    ...tab,
    ...(shift.dimension === "ROWS"
      ? { rowCount: tab.rowCount + shift.count, rows: shiftedRows(tab.rows, shift) }
      : { columnCount: tab.columnCount + shift.count, rows: shiftedColumns(tab.rows, shift) }),
    merges: tab.merges.flatMap((merge) => shiftedArea(merge, shift))
  })
  const named = changed.namedRanges.flatMap((each) =>
    each.sheetId === tab.sheetId ? shiftedArea(each.area, shift).map((area) => ({ ...each, area })) : [each]
  )
  const formulas = mapFormulas(
    { ...changed, namedRanges: named },
    (formula, home) =>
      shiftedFormula(
        formula,
        shift,
        (reference) => reference.tab === undefined ? home.sheetId === tab.sheetId : same(reference.tab, tab.title)
      )
  )
  return withinLimits(formulas)
}

const shiftedRows = (rows: Rows, { count, index }: Shift): Rows =>
  trimmed(spliced<Rows[number]>(rows, index, count, []))

const shiftedColumns = (rows: Rows, { count, index }: Shift): Rows =>
  trimmed(rows.map((row) => spliced<Rows[number][number]>(row, index, count, null)))

const spliced = <A>(items: ReadonlyArray<A>, index: number, count: number, blank: A): ReadonlyArray<A> => {
  if (index >= items.length) return items
  return count > 0
    ? [...items.slice(0, index), ...Array.from({ length: count }, () => blank), ...items.slice(index)]
    : [...items.slice(0, index), ...items.slice(index - count)]
}

const shiftedArea = (area: Area, shift: Shift): ReadonlyArray<Area> => {
  const span = shift.dimension === "ROWS"
    ? shiftedSpan(area.top, area.bottom, shift)
    : shiftedSpan(area.left, area.right, shift)
  if (span === undefined) return []
  return [
    shift.dimension === "ROWS"
      ? { ...area, top: span.start, bottom: span.end }
      : { ...area, left: span.start, right: span.end }
  ]
}
