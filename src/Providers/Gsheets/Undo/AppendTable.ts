import type { Rectangle } from "../A1.ts"
import { joinCells, lowestIn } from "../Tables.ts"

/** The most separate tables of a tab. With more, finding them would take too long. */
const maxTables = 500

/** The table that `values.append` extends. `"unknown"` for a tab with too many tables. */
export const tableIn = (cells: ReadonlyArray<Rectangle>, area: Rectangle): Rectangle | undefined | "unknown" => {
  let tables: ReadonlyArray<Rectangle> = []
  for (const cell of cells) {
    tables = joinCells(tables, cell)
    if (tables.length > maxTables) return "unknown"
  }
  return lowestIn(tables, area)
}

/** The runs of filled cells of each row. */
export const filledRuns = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<Rectangle> =>
  rows.flatMap((row, top) => {
    const runs: Array<Rectangle> = []
    let left: number | undefined
    for (let column = 0; column <= row.length; column++) {
      const isFilled = column < row.length && row[column] !== "" && row[column] !== null
      if (isFilled) left ??= column
      else if (left !== undefined) {
        runs.push({ top, left, bottom: top + 1, right: column })
        left = undefined
      }
    }
    return runs
  })
