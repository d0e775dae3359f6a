import type { Rectangle } from "./A1.ts"

/** Adds cells to tables. A table is a rectangle around adjacent cells; cells that touch only at a corner are apart. */
export const joinCells = (tables: ReadonlyArray<Rectangle>, cells: Rectangle): ReadonlyArray<Rectangle> => {
  const beside = tables.filter((table) => areAdjacent(table, cells))
  if (beside.length === 0) return [...tables, cells]
  return joinCells(tables.filter((table) => !beside.includes(table)), [cells, ...beside].reduce(around))
}

/** `values.append` extends the lowest table in the area, then the rightmost. */
export const lowestIn = (tables: ReadonlyArray<Rectangle>, area: Rectangle): Rectangle | undefined =>
  tables.filter((table) => overlaps(table, area)).toSorted((a, b) => b.bottom - a.bottom || b.right - a.right)[0]

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
