import { Schema } from "effect"

/** Values of cells. In a write, `null` leaves the cell unchanged. */
export const CellValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type CellValue = typeof CellValue.Type
export type CellRow = ReadonlyArray<CellValue>
export type CellRows = ReadonlyArray<CellRow>

export const isBlank = (value: CellValue | undefined): boolean => value === undefined || value === null || value === ""

/** Spreadsheets calculates with more digits than it shows: a sum is 107.88000000000001. */
export const shownNumber = (value: number): number => Number(value.toPrecision(15))

/** An error that is not formatted has its reason behind it, as in `#REF! (Reference does not exist.)`. */
const errorWithReason = /^(#(?:DIV\/0!|ERROR!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!)) \(.*\)$/s

export const withoutReasons = (rows: CellRows): CellRows =>
  rows.map((row) =>
    row.some(hasReason) ? row.map((value) => hasReason(value) ? value.replace(errorWithReason, "$1") : value) : row
  )

const hasReason = (value: CellValue): value is string =>
  typeof value === "string" && value.startsWith("#") && errorWithReason.test(value)

export const flatMapCells = <A>(
  rows: CellRows,
  each: (value: CellValue, row: number, column: number) => ReadonlyArray<A>
): ReadonlyArray<A> => rows.flatMap((cells, row) => cells.flatMap((value, column) => each(value, row, column)))

export const hasValue = (row: CellRow): boolean => !row.every(isBlank)

/** -1 without data. `false` is no data, because an unticked checkbox has this value. */
export const lastDataRow = (rows: CellRows): number =>
  rows.findLastIndex((row) => row.some((value) => value !== "" && value !== null && value !== false))

export const countRows = (rows: CellRows, includeBlank: boolean): number =>
  includeBlank ? rows.findLastIndex(hasValue) + 1 : rows.filter(hasValue).length

export const widthOf = (rows: CellRows): number =>
  rows.reduce((widest, row) => Math.max(widest, row.findLastIndex((value) => !isBlank(value)) + 1), 0)

export const padLeft = (rows: CellRows, columns: number): CellRows =>
  rows.map((row) => [...Array.from({ length: columns }, () => null), ...row])
