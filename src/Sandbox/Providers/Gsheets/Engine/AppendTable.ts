import { type Area, cellArea, endOf, indexes, overlaps } from "./Area.ts"
import type { ComputedCells } from "./ComputedCells.ts"
import { cellAt, formulaOf, hasContent } from "./Grid.ts"
import type { Tab } from "./Spreadsheet.ts"

/**
 * `values.append` extends the lowest table in the area, then the rightmost. A table is a rectangle around adjacent
 * cells; cells that touch only at a corner are apart.
 */
export const findTable = (computed: ComputedCells, tab: Tab, area: Area): Area | undefined =>
  joinIntoTables(occupiedCells(computed, tab)).filter((table) => overlaps(table, area)).toSorted((a, b) =>
    b.bottom - a.bottom || b.right - a.right
  )[0]

const occupiedCells = (computed: ComputedCells, tab: Tab): ReadonlyArray<Area> => {
  const spill = computed.spilled(tab)
  const end = endOf(tab.rows.length, spill.keys())
  return indexes(0, end).flatMap((row) => {
    const filled = spill.get(row)
    const width = endOf(tab.rows[row]?.length ?? 0, filled?.keys())
    return indexes(0, width).flatMap((column) => {
      const cell = cellAt(tab, row, column)
      const shown = filled?.get(column) ?? null
      const holds = formulaOf(cell) !== undefined || hasContent(cell?.userEnteredValue) ||
        (shown !== null && shown !== "")
      return holds ? [cellArea(row, column)] : []
    })
  })
}

const joinIntoTables = (cells: ReadonlyArray<Area>): ReadonlyArray<Area> => {
  let joined: ReadonlyArray<Area> = []
  for (const cell of cells) joined = joinArea(joined, cell)
  return joined
}

const joinArea = (others: ReadonlyArray<Area>, area: Area): ReadonlyArray<Area> => {
  const beside = others.filter((other) => areAdjacent(other, area))
  if (beside.length === 0) return [...others, area]
  return joinArea(others.filter((other) => !beside.includes(other)), [area, ...beside].reduce(boundingArea))
}

const areAdjacent = (a: Area, b: Area): boolean =>
  overlaps(a, b) || overlaps(widen(a, 1, 0), b) || overlaps(widen(a, 0, 1), b)

const widen = ({ bottom, left, right, top }: Area, rows: number, columns: number): Area => ({
  top: top - rows,
  left: left - columns,
  bottom: bottom + rows,
  right: right + columns
})

const boundingArea = (a: Area, b: Area): Area => ({
  top: Math.min(a.top, b.top),
  left: Math.min(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.max(a.right, b.right)
})
