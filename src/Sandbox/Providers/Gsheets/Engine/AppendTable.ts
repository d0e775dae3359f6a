import { joinCells, lowestIn } from "../../../../Providers/Gsheets/Tables.ts"
import { type Area, cellArea, endOf, indexes } from "./Area.ts"
import type { ComputedCells } from "./ComputedCells.ts"
import { cellAt, formulaOf, hasContent } from "./Grid.ts"
import type { Tab } from "./Spreadsheet.ts"

export const findTable = (computed: ComputedCells, tab: Tab, area: Area): Area | undefined =>
  lowestIn(occupiedCells(computed, tab).reduce(joinCells, noTables), area)

const noTables: ReadonlyArray<Area> = []

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
