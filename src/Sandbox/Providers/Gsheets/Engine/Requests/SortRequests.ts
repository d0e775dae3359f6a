import { Result } from "effect"
import { type Area, indexes } from "../Area.ts"
import { computeCells } from "../ComputedCells.ts"
import { refuse } from "../Errors.ts"
import { compare } from "../Formula/Operand.ts"
import { copyCell } from "../Formula/References.ts"
import { cellAt, type Edit, editCells } from "../Grid.ts"
import { replaceTab, type Tab } from "../Spreadsheet.ts"
import { isError, type Value } from "../Value.ts"
import { applied, type RequestHandlers, resolveGridRange } from "./Request.ts"

export const sortRequests: RequestHandlers<"sortRange"> = {
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
        return { row, column, cell: cell === null || source === undefined ? null : copyCell(cell, row - source, 0) }
      })
    )
  )
