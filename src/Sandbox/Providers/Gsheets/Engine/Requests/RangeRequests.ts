import { Result } from "effect"
import { type Area, gridArea, indexes, intersection } from "../Area.ts"
import { computeCells } from "../ComputedCells.ts"
import { refuse } from "../Errors.ts"
import { compare } from "../Formula/Operand.ts"
import { copyFormula } from "../Formula/References.ts"
import { cellAt, type Edit, editCells, formulaOf, mapArea, usedArea } from "../Grid.ts"
import { type Cell, replaceTab, type Tab } from "../Spreadsheet.ts"
import { enteredOf, isError, type Value } from "../Value.ts"
import { applied, type Payload, type RequestHandlers, resolveGridRange } from "./Request.ts"

export const rangeRequests: RequestHandlers<
  | "sortRange"
  | "copyPaste"
  | "insertRange"
  | "deleteRange"
  | "deleteDuplicates"
  | "trimWhitespace"
> = {
  sortRange: (spreadsheet, { range: gridRange, sortSpecs = [] }, now) =>
    Result.gen(function*() {
      const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
      if (sortSpecs.length === 0) return yield* refuse("sortSpecs must be specified.")
      const outside = sortSpecs.find(({ dimensionIndex = 0 }) =>
        dimensionIndex < area.left || dimensionIndex >= area.right
      )
      if (outside !== undefined) {
        return yield* refuse(`The sort column ${outside.dimensionIndex} is not in the range to sort.`)
      }
      const { valueAt } = computeCells(spreadsheet, now)
      const order = indexes(area.top, area.bottom).toSorted((a, b) => {
        for (const { dimensionIndex = 0, sortOrder } of sortSpecs) {
          const by = compareForSort(
            valueAt(tab, a, dimensionIndex),
            valueAt(tab, b, dimensionIndex),
            sortOrder === "DESCENDING"
          )
          if (by !== 0) return by
        }
        return a - b
      })
      return applied(replaceTab(spreadsheet, reorderRows(tab, area, order)))
    }),

  copyPaste: (spreadsheet, { destination, pasteOrientation, pasteType = "PASTE_NORMAL", source }, now) =>
    Result.gen(function*() {
      if (pasteOrientation === "TRANSPOSE") return yield* refuse("The sandbox does not paste transposed.")
      const from = yield* resolveGridRange(spreadsheet, source)
      const to = yield* resolveGridRange(spreadsheet, destination)
      const { valueAt } = computeCells(spreadsheet, now)
      const height = from.area.bottom - from.area.top
      const width = from.area.right - from.area.left
      const target = intersection(pasteArea(to.area, height, width), gridArea(to.tab))
      const pasted = mapArea(to.tab, target, (before, row, column) => {
        const sourceRow = from.area.top + (row - target.top) % height
        const sourceColumn = from.area.left + (column - target.left) % width
        const cell = cellAt(from.tab, sourceRow, sourceColumn)
        return pasteCell(pasteType, {
          before: before ?? {},
          cell: moveFormula(cell ?? {}, row - sourceRow, column - sourceColumn),
          value: valueAt(from.tab, sourceRow, sourceColumn)
        })
      })
      return applied(replaceTab(spreadsheet, pasted))
    }),

  insertRange: (spreadsheet, { range: gridRange, shiftDimension }) =>
    Result.map(
      resolveGridRange(spreadsheet, gridRange),
      ({ area, tab }) =>
        applied(replaceTab(spreadsheet, pushCells(tab, area, shiftDimension === "COLUMNS" ? "COLUMNS" : "ROWS", 1)))
    ),

  deleteRange: (spreadsheet, { range: gridRange, shiftDimension }) =>
    Result.map(
      resolveGridRange(spreadsheet, gridRange),
      ({ area, tab }) =>
        applied(replaceTab(spreadsheet, pushCells(tab, area, shiftDimension === "COLUMNS" ? "COLUMNS" : "ROWS", -1)))
    ),

  deleteDuplicates: (spreadsheet, { comparisonColumns = [], range: gridRange }, now) =>
    Result.gen(function*() {
      const { area, tab } = yield* resolveGridRange(spreadsheet, gridRange)
      const { textAt } = computeCells(spreadsheet, now)
      const columns = comparisonColumns.length === 0
        ? indexes(area.left, area.right)
        : comparisonColumns.flatMap(({ endIndex = area.right, startIndex = area.left }) =>
          indexes(startIndex, endIndex)
        )
      const seen = new Set<string>()
      const kept = indexes(area.top, area.bottom).filter((row) => {
        const key = JSON.stringify(columns.map((column) => textAt(tab, row, column).toLowerCase()))
        return !seen.has(key) && seen.add(key)
      })
      const removed = area.bottom - area.top - kept.length
      return applied(replaceTab(spreadsheet, reorderRows(tab, area, kept)), {
        deleteDuplicates: removed === 0 ? {} : { duplicatesRemovedCount: removed }
      })
    }),

  trimWhitespace: (spreadsheet, { range: gridRange }) =>
    Result.map(resolveGridRange(spreadsheet, gridRange), ({ area, tab }) => {
      let cellsChangedCount = 0
      const trimmed = mapArea(tab, usedArea(tab, area), (cell) => {
        const text = cell?.userEnteredValue?.stringValue
        const next = text?.trim().replaceAll(/\s+/g, " ")
        if (next === undefined || next === text) return cell
        cellsChangedCount++
        return { ...cell, userEnteredValue: enteredOf(next) }
      })
      return applied(replaceTab(spreadsheet, trimmed), {
        trimWhitespace: cellsChangedCount === 0 ? {} : { cellsChangedCount }
      })
    })
}

const compareForSort = (a: Value, b: Value, descending: boolean): number => {
  if (isBlank(a) || isBlank(b)) return Number(isBlank(a)) - Number(isBlank(b))
  const order = isError(a) || isError(b) ? Number(isError(a)) - Number(isError(b)) : compare(a, b)
  return descending ? -order : order
}

const isBlank = (value: Value): boolean => value === null || value === ""

const reorderRows = (tab: Tab, area: Area, order: ReadonlyArray<number>): Tab =>
  editCells(
    tab,
    indexes(area.top, area.bottom).flatMap((row, index) =>
      indexes(area.left, area.right).map((column): Edit => {
        const source = order[index]
        const cell = source === undefined ? null : cellAt(tab, source, column)
        return { row, column, cell: cell === null || source === undefined ? null : moveFormula(cell, row - source, 0) }
      })
    )
  )

const moveFormula = (cell: Cell, rows: number, columns: number): Cell => {
  const formula = formulaOf(cell)
  return formula === undefined || (rows === 0 && columns === 0)
    ? cell
    : { ...cell, userEnteredValue: { formulaValue: copyFormula(formula, rows, columns) } }
}

const pasteArea = (to: Area, height: number, width: number): Area => {
  const rows = to.bottom - to.top
  const columns = to.right - to.left
  return {
    ...to,
    bottom: to.top + (rows % height === 0 ? rows : height),
    right: to.left + (columns % width === 0 ? columns : width)
  }
}

const pasteCell = (
  type: NonNullable<Payload<"copyPaste">["pasteType"]>,
  { before, cell, value }: { readonly before: Cell; readonly cell: Cell; readonly value: Value }
): Cell => {
  const { userEnteredValue: _, ...withoutValue } = before
  const { userEnteredFormat: _format, ...withoutFormat } = before
  const { dataValidation: _rule, ...withoutRule } = before
  switch (type) {
    case "PASTE_NORMAL":
    case "PASTE_NO_BORDERS":
      return cell
    case "PASTE_VALUES":
      return value === null || isError(value) ? withoutValue : { ...withoutValue, userEnteredValue: enteredOf(value) }
    case "PASTE_FORMULA":
      return cell.userEnteredValue === undefined
        ? withoutValue
        : { ...withoutValue, userEnteredValue: cell.userEnteredValue }
    case "PASTE_FORMAT":
      return cell.userEnteredFormat === undefined
        ? withoutFormat
        : { ...withoutFormat, userEnteredFormat: cell.userEnteredFormat }
    case "PASTE_DATA_VALIDATION":
      return cell.dataValidation === undefined ? withoutRule : { ...withoutRule, dataValidation: cell.dataValidation }
    case "PASTE_CONDITIONAL_FORMATTING":
      return before
  }
}

const pushCells = (tab: Tab, area: Area, dimension: "ROWS" | "COLUMNS", direction: 1 | -1): Tab => {
  const down = dimension === "ROWS" ? (area.bottom - area.top) * direction : 0
  const right = dimension === "COLUMNS" ? (area.right - area.left) * direction : 0
  const used = usedArea(tab, gridArea(tab))
  const lane = dimension === "ROWS"
    ? { ...area, bottom: Math.min(tab.rowCount, Math.max(area.bottom, used.bottom + Math.abs(down))) }
    : { ...area, right: Math.min(tab.columnCount, Math.max(area.right, used.right + Math.abs(right))) }
  return mapArea(tab, lane, (_, row, column) => {
    const isNew = direction === 1 && row < area.bottom && column < area.right
    return isNew ? null : cellAt(tab, row - down, column - right)
  })
}
