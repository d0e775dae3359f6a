import { Schema } from "effect"

/** Zero-based; `bottom` and `right` are exclusive. */
export const Area = Schema.Struct({ top: Schema.Int, left: Schema.Int, bottom: Schema.Int, right: Schema.Int })
export type Area = typeof Area.Type

export const isEmpty = ({ bottom, left, right, top }: Area): boolean => bottom <= top || right <= left

export const intersection = (a: Area, b: Area): Area => ({
  top: Math.max(a.top, b.top),
  left: Math.max(a.left, b.left),
  bottom: Math.min(a.bottom, b.bottom),
  right: Math.min(a.right, b.right)
})

export const overlaps = (a: Area, b: Area): boolean => !isEmpty(intersection(a, b))

export const contains = (outer: Area, inner: Area): boolean =>
  inner.top >= outer.top && inner.left >= outer.left && inner.bottom <= outer.bottom && inner.right <= outer.right

export const cellArea = (row: number, column: number): Area => sizedArea(row, column, 1, 1)

export const sizedArea = (row: number, column: number, rows: number, columns: number): Area => ({
  top: row,
  left: column,
  bottom: row + rows,
  right: column + columns
})

export const gridArea = ({ columnCount, rowCount }: { readonly columnCount: number; readonly rowCount: number }) =>
  sizedArea(0, 0, rowCount, columnCount)

export const widestOf = (lines: ReadonlyArray<{ readonly length: number }>): number =>
  lines.reduce((widest, { length }) => Math.max(widest, length), 0)

export const indexes = (start: number, end: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
