import { Option, Result, Schema } from "effect"
import type { CellData, RowData } from "../../../../../Providers/Gsheets/Generated.ts"
import { type FieldMask, parseFieldMask } from "../../../Google/FieldMask.ts"
import { type GoogleError, lacks } from "../../../Google/GoogleError.ts"
import { cellArea, contains, indexes, overlaps } from "../Area.ts"
import { exceedsGrid, refuse } from "../Errors.ts"
import { cellAt, type Edit, editCells, mapArea } from "../Grid.ts"
import { numberText } from "../NumberText.ts"
import { areaText } from "../Ranges.ts"
import { Cell, replaceTab, type Spreadsheet, type Tab } from "../Spreadsheet.ts"
import { mergeFields } from "../UpdateMask.ts"
import { cellTooLong, isTooLong } from "../ValueRange.ts"
import { applied, type RequestHandlers, resolveGridRange, tabById } from "./Request.ts"

export const cellRequests: RequestHandlers<
  "updateCells" | "repeatCell" | "setDataValidation" | "mergeCells"
> = {
  updateCells: (spreadsheet, { fields, range: gridRange, rows = [], start }) =>
    Result.gen(function*() {
      const mask = yield* parseFieldMask(fields)
      yield* checkCells(rows.flatMap(({ values = [] }) => values), mask)
      if (gridRange !== undefined) {
        const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
        const edits = indexes(area.top, area.bottom).flatMap((row) =>
          indexes(area.left, area.right).map((column) => ({
            row,
            column,
            source: rows[row - area.top]?.values?.[column - area.left] ?? {}
          }))
        )
        return applied(replaceTab(spreadsheet, mergeSources(tab, edits, mask)))
      }
      const tab = yield* tabById(spreadsheet, start?.sheetId, "grid")
      const edits = sourcesOf(rows, start?.rowIndex ?? 0, start?.columnIndex ?? 0)
      const outside = edits.find(({ column, row }) => row >= tab.rowCount || column >= tab.columnCount)
      if (outside !== undefined) {
        const { column, row } = outside
        return yield* Result.fail(exceedsGrid(areaText(tab, cellArea(row, column)), tab))
      }
      return applied(replaceTab(spreadsheet, mergeSources(tab, edits, mask)))
    }),

  repeatCell: (spreadsheet, { cell = {}, fields, range: gridRange }) =>
    Result.gen(function*() {
      const mask = yield* parseFieldMask(fields)
      yield* checkCells([cell], mask)
      const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
      if (cell.userEnteredValue?.formulaValue !== undefined) return yield* lacks("formulas in repeatCell")
      const merge = makeMerger(mask)
      return applied(replaceTab(spreadsheet, mapArea(tab, area, (before) => merge(before, cell))))
    }),

  setDataValidation: (spreadsheet, { range: gridRange, rule }) =>
    Result.gen(function*() {
      if (rule?.condition?.type === "BOOLEAN") return yield* lacks("checkboxes of setDataValidation")
      const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
      return applied(replaceTab(
        spreadsheet,
        mapArea(tab, area, (cell) => {
          const { dataValidation: _, ...kept } = cell ?? {}
          return rule === undefined ? kept : { ...kept, dataValidation: rule }
        })
      ))
    }),

  mergeCells: (spreadsheet, { mergeType = "MERGE_ALL", range: gridRange }) =>
    Result.gen(function*() {
      if (mergeType !== "MERGE_ALL") return yield* lacks(`merges of the type ${mergeType}`)
      const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
      if (tab.merges.some((merge) => overlaps(merge, area) && !contains(area, merge))) {
        return yield* refuse("You must select all cells in a merged range to merge or unmerge them.")
      }
      const isSeveral = area.bottom - area.top > 1 || area.right - area.left > 1
      const cleared = mapArea(tab, area, (cell, row, column) => {
        const { userEnteredValue: _, ...kept } = cell ?? {}
        return row === area.top && column === area.left ? cell : kept
      })
      const merges = [...tab.merges.filter((merge) => !contains(area, merge)), ...(isSeveral ? [area] : [])]
      return applied(replaceTab(spreadsheet, { ...cleared, merges }))
    })
}

interface Source {
  readonly row: number
  readonly column: number
  readonly source: Cell
}

const sourcesOf = (rows: ReadonlyArray<typeof RowData.Type>, top: number, left: number): ReadonlyArray<Source> =>
  rows.flatMap(({ values = [] }, down) =>
    values.map((source, right) => ({ row: top + down, column: left + right, source }))
  )

const mergeSources = (tab: Tab, sources: ReadonlyArray<Source>, mask: FieldMask): Tab => {
  const merge = makeMerger(mask)
  return editCells(
    tab,
    sources.map(({ column, row, source }): Edit => ({ row, column, cell: merge(cellAt(tab, row, column), source) }))
  )
}

const decodeCell = Schema.decodeUnknownOption(Cell)

const makeMerger = (mask: FieldMask) => {
  const done = new Map<Cell | null, { readonly source: Cell; readonly result: Cell | null }>()
  return (before: Cell | null, source: Cell): Cell | null => {
    const known = done.get(before)
    if (known?.source === source) return known.result
    const result = Option.getOrNull(decodeCell(mergeFields(before ?? {}, source, mask)))
    done.set(before, { source, result })
    return result
  }
}

/** What the cells of the sandbox cannot hold. */
const lackingFields = ["pivotTable", "dataSourceTable", "chipRuns"] as const

const checkCells = (cells: ReadonlyArray<typeof CellData.Type>, mask: FieldMask): Result.Result<void, GoogleError> => {
  const lacking = lackingFields.find((name) =>
    mask.has(name) || mask.has("*") && cells.some((cell) => cell[name] !== undefined)
  )
  if (lacking !== undefined) return lacks(`the field ${lacking} of cells`)
  for (const { userEnteredFormat } of cells) numberText(0, userEnteredFormat?.numberFormat)
  return cells.some(({ userEnteredValue }) => isTooLong(userEnteredValue?.stringValue ?? ""))
    ? cellTooLong
    : Result.void
}

const allFields: FieldMask = new Map([["*", new Map()]])

export const writeRowData = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  rows: ReadonlyArray<typeof RowData.Type>,
  { column, row }: { readonly row: number; readonly column: number }
): Result.Result<Spreadsheet, GoogleError> =>
  Result.map(
    checkCells(rows.flatMap(({ values = [] }) => values), allFields),
    () => replaceTab(spreadsheet, mergeSources(tab, sourcesOf(rows, row, column), allFields))
  )
