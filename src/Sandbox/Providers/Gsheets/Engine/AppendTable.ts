import { joinCells, lowestIn } from "../../../../Providers/Gsheets/Tables.ts"
import { type Area, cellArea } from "./Area.ts"
import { formulaOf, hasContent } from "./Grid.ts"
import type { Tab } from "./Spreadsheet.ts"

export const findTable = (tab: Tab, area: Area): Area | undefined =>
  lowestIn(occupiedCells(tab).reduce(joinCells, noTables), area)

const noTables: ReadonlyArray<Area> = []

const occupiedCells = ({ rows }: Tab): ReadonlyArray<Area> =>
  rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) =>
      formulaOf(cell) !== undefined || hasContent(cell?.userEnteredValue) ? [cellArea(row, column)] : []
    )
  )
