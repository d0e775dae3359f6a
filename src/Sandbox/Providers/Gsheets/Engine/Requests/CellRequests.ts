import { Option, Result, Schema } from "effect"
import type { RowData } from "../../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { range } from "../Area.ts"
import { type Mask, merged, updateMask } from "../FieldMask.ts"
import { cellAt, type Edit, holdsSomething, mapArea, withCells } from "../Grid.ts"
import { areaText } from "../RangeText.ts"
import { exceedsGrid, refuse } from "../Refusal.ts"
import { Cell, limits, type Spreadsheet, type Tab, withTab } from "../Spreadsheet.ts"
import { grown } from "../Structure.ts"
import { applied, type Changes, placeOf, tabById } from "./Request.ts"

export const cellRequests: Changes<"updateCells" | "appendCells" | "repeatCell" | "setDataValidation"> = {
  updateCells: (spreadsheet, { fields, range: gridRange, rows = [], start }) =>
    Result.gen(function*() {
      const mask = yield* updateMask(fields)
      yield* notTooLong(rows)
      if (gridRange !== undefined) {
        const { area, tab } = yield* placeOf(spreadsheet, gridRange)
        const edits = range(area.top, area.bottom).flatMap((row) =>
          range(area.left, area.right).map((column) => ({
            row,
            column,
            source: rows[row - area.top]?.values?.[column - area.left] ?? {}
          }))
        )
        return applied(withTab(spreadsheet, withMerged(tab, edits, mask)))
      }
      const tab = yield* tabById(spreadsheet, start?.sheetId, "grid")
      const edits = editsOf(rows, start?.rowIndex ?? 0, start?.columnIndex ?? 0)
      const outside = edits.find(({ column, row }) => row >= tab.rowCount || column >= tab.columnCount)
      if (outside !== undefined) {
        const { column, row } = outside
        const area = { top: row, left: column, bottom: row + 1, right: column + 1 }
        return yield* Result.fail(exceedsGrid(areaText(tab, area), tab))
      }
      return applied(withTab(spreadsheet, withMerged(tab, edits, mask)))
    }),

  /** After the last row that holds anything, from the first column on. */
  appendCells: (spreadsheet, { fields, rows = [], sheetId }) =>
    Result.gen(function*() {
      const mask = yield* updateMask(fields)
      yield* notTooLong(rows)
      const before = yield* tabById(spreadsheet, sheetId, "grid")
      const top = before.rows.findLastIndex((row) => row.some((cell) => holdsSomething(cell?.userEnteredValue))) + 1
      const width = Math.max(0, ...rows.map(({ values = [] }) => values.length))
      const roomy = yield* grown(spreadsheet, before, {
        rows: Math.max(0, top + rows.length - before.rowCount),
        columns: Math.max(0, width - before.columnCount)
      })
      const tab = yield* tabById(roomy, sheetId, "grid")
      return applied(withTab(roomy, withMerged(tab, editsOf(rows, top, 0), mask)))
    }),

  repeatCell: (spreadsheet, { cell = {}, fields, range: gridRange }) =>
    Result.gen(function*() {
      const mask = yield* updateMask(fields)
      const { area, tab } = yield* placeOf(spreadsheet, gridRange)
      const merge = mergerOf(mask)
      return applied(withTab(spreadsheet, mapArea(tab, area, (before) => merge(before, cell))))
    }),

  setDataValidation: (spreadsheet, { range: gridRange, rule }) =>
    Result.map(placeOf(spreadsheet, gridRange), ({ area, tab }) =>
      applied(withTab(
        spreadsheet,
        mapArea(tab, area, (cell) => {
          const { dataValidation: _, ...kept } = cell ?? {}
          return rule === undefined ? kept : withRule(kept, rule)
        })
      )))
}

/** A checkbox is unticked from the start. */
const withRule = (cell: Cell, rule: NonNullable<Cell["dataValidation"]>): Cell => ({
  ...(rule.condition?.type === "BOOLEAN" && cell.userEnteredValue === undefined
    ? { userEnteredValue: { boolValue: false } }
    : {}),
  ...cell,
  dataValidation: rule
})

interface Source {
  readonly row: number
  readonly column: number
  readonly source: Cell
}

const editsOf = (rows: ReadonlyArray<typeof RowData.Type>, top: number, left: number): ReadonlyArray<Source> =>
  rows.flatMap(({ values = [] }, down) =>
    values.map((source, right) => ({ row: top + down, column: left + right, source }))
  )

const withMerged = (tab: Tab, sources: ReadonlyArray<Source>, mask: Mask): Tab => {
  const merge = mergerOf(mask)
  return withCells(
    tab,
    sources.map(({ column, row, source }): Edit => ({ row, column, cell: merge(cellAt(tab, row, column), source) }))
  )
}

const decodeCell = Schema.decodeUnknownOption(Cell)

/** Most cells of a range are alike: blank. Their result is worked out once. */
const mergerOf = (mask: Mask) => {
  const done = new Map<Cell | null, { readonly source: Cell; readonly result: Cell | null }>()
  return (before: Cell | null, source: Cell): Cell | null => {
    const known = done.get(before)
    if (known?.source === source) return known.result
    const result = Option.getOrNull(decodeCell(merged(before ?? {}, source, mask)))
    done.set(before, { source, result })
    return result
  }
}

const notTooLong = (rows: ReadonlyArray<typeof RowData.Type>): Result.Result<void, GoogleError> =>
  rows.some(({ values = [] }) =>
      values.some(({ userEnteredValue }) => (userEnteredValue?.stringValue?.length ?? 0) > limits.charactersPerCell)
    )
    ? refuse(`Your input contains more than the maximum of ${limits.charactersPerCell} characters in a single cell.`)
    : Result.void

/** The cells of new rows, for a tab that has none yet. */
export const withRowData = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  rows: ReadonlyArray<typeof RowData.Type>,
  { column, row }: { readonly row: number; readonly column: number }
): Result.Result<Spreadsheet, GoogleError> =>
  Result.map(
    notTooLong(rows),
    () => withTab(spreadsheet, withMerged(tab, editsOf(rows, row, column), new Map([["*", new Map()]])))
  )
