import type { Rectangle } from "../A1.ts"

/** Apart from each other. A tab with more of them is not joined, because it would take too long. */
const maxTables = 500

/**
 * `values.append` extends the lowest table in the area, then the rightmost. A table is a rectangle around adjacent
 * cells; cells that touch only at a corner are apart. `"unknown"` for a tab with too many tables.
 */
export const tableIn = (cells: ReadonlyArray<Rectangle>, area: Rectangle): Rectangle | undefined | "unknown" => {
  const tables = joinIntoTables(cells)
  return tables === "unknown" ?
    tables :
    tables.filter((table) => overlaps(table, area)).toSorted((a, b) => b.bottom - a.bottom || b.right - a.right)[0]
}

const joinIntoTables = (cells: ReadonlyArray<Rectangle>): ReadonlyArray<Rectangle> | "unknown" => {
  let joined: ReadonlyArray<Rectangle> = []
  for (const cell of cells) {
    joined = join(joined, cell)
    if (joined.length > maxTables) return "unknown"
  }
  return joined
}

const join = (others: ReadonlyArray<Rectangle>, area: Rectangle): ReadonlyArray<Rectangle> => {
  const beside = others.filter((other) => areAdjacent(other, area))
  if (beside.length === 0) return [...others, area]
  return join(others.filter((other) => !beside.includes(other)), [area, ...beside].reduce(around))
}

const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.top < b.bottom && b.top < a.bottom && a.left < b.right && b.left < a.right

const areAdjacent = (a: Rectangle, b: Rectangle): boolean => overlaps(widen(a, 1, 0), b) || overlaps(widen(a, 0, 1), b)

const widen = ({ bottom, left, right, top }: Rectangle, rows: number, columns: number): Rectangle => ({
  top: top - rows,
  left: left - columns,
  bottom: bottom + rows,
  right: right + columns
})

const around = (a: Rectangle, b: Rectangle): Rectangle => ({
  top: Math.min(a.top, b.top),
  left: Math.min(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.max(a.right, b.right)
})

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
