import { type CellRow, type CellRows, type CellValue, hasValue } from "../CellValues.ts"
import { type Column, rowNumberKey } from "../ColumnKeys.ts"

const maxCharacters = 2000
/** Per page, so that it fits in an agent's context. */
const maxBytes = 60_000

export interface RowPage {
  readonly rows: ReadonlyArray<object>
  readonly nextOffset: number | undefined
}

export interface PageRequest {
  readonly limit: number
  readonly offset: number
  readonly includeBlank: boolean
  /** The zero-based sheet row of offset 0. */
  readonly firstRow: number
  readonly nextOffset: number | undefined
}

export const rowPage = (values: CellRows, columns: ReadonlyArray<Column>, request: PageRequest): RowPage => {
  const { firstRow, includeBlank, limit, nextOffset, offset } = request
  const last = nextOffset === undefined ? values.findLastIndex(hasValue) : values.length - 1
  const rows: Array<object> = []
  let bytes = columns.reduce((sum, { key }) => sum + Buffer.byteLength(key) + 4, 0)
  for (const [index, cells] of values.slice(0, last + 1).entries()) {
    if (!includeBlank && !hasValue(cells)) continue
    const row = rowObject(cells, columns, firstRow + offset + index)
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    const isFull = rows.length === limit || (rows.length > 0 && bytes > maxBytes)
    if (isFull) return { rows, nextOffset: offset + index }
    rows.push(row)
  }
  return { rows, nextOffset }
}

/** Built from entries, so that `__proto__` is an ordinary key. */
const rowObject = (cells: CellRow, columns: ReadonlyArray<Column>, row: number): object =>
  Object.fromEntries([
    [rowNumberKey, row + 1],
    ...columns.map(({ key }, column): [string, CellValue] => [key, shortenedValue(cells[column])])
  ])

const shortenedValue = (value: CellValue | undefined): CellValue => {
  if (value === undefined || value === "") return null
  return typeof value === "string" && value.length > maxCharacters ? truncateText(value) : value
}

const truncateText = (text: string): string => {
  const kept = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "")
  return `${kept}…(+${text.length - kept.length})`
}
