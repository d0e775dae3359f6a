import { Effect, Schema } from "effect"
import { Integer } from "../../Tooling/Integer.ts"
import { type CellRow, type CellRows, CellValue, hasValue, shownNumber } from "../CellValues.ts"
import { type Column, rowNumberKey } from "../ColumnKeys.ts"

const maxCharacters = 2000

/** The limit of a call that reads all rows. */
export const allRows = Number.MAX_SAFE_INTEGER

/** The limit of a page, which fits in an agent's context. A call for all rows has `maxBytes`. */
const pageBytes = 60_000
export const maxBytes = 50 * 1024 * 1024

/** Other work gets a turn after this many rows. */
const turnRows = 2000

export const RowObject = Schema.StructWithRest(Schema.Struct({ [rowNumberKey]: Integer }), [
  Schema.Record(Schema.String, CellValue)
])
export type RowObject = typeof RowObject.Type

export interface RowPage {
  readonly rows: ReadonlyArray<RowObject>
  readonly nextOffset: number | undefined
}

export interface PageInput {
  readonly limit: number
  readonly offset: number
  readonly include_blank_rows: boolean
}

interface PageRequest extends PageInput {
  readonly omit_empty: boolean
  readonly firstRow: number
  readonly nextOffset: number | undefined
}

export const rowPage = Effect.fnUntraced(function*(
  values: CellRows,
  columns: ReadonlyArray<Column>,
  { firstRow, include_blank_rows, limit, nextOffset, offset, omit_empty }: PageRequest
): Effect.fn.Return<RowPage> {
  const last = nextOffset === undefined ? values.findLastIndex(hasValue) : values.length - 1
  const most = limit === allRows ? maxBytes : pageBytes
  const rows: Array<RowObject> = []
  let bytes = columns.reduce((sum, { key }) => sum + Buffer.byteLength(key) + 4, 0)
  for (const [index, cells] of values.slice(0, last + 1).entries()) {
    if (index % turnRows === turnRows - 1) yield* Effect.yieldNow
    if (!include_blank_rows && !hasValue(cells)) continue
    const row = rowObject(cells, columns, { row: firstRow + offset + index, omitEmpty: omit_empty })
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    const isFull = rows.length === limit || (rows.length > 0 && bytes > most)
    if (isFull) return { rows, nextOffset: offset + index }
    rows.push(row)
  }
  return { rows, nextOffset }
})

/** Built from entries, so that `__proto__` is an ordinary key. */
const rowObject = (
  cells: CellRow,
  columns: ReadonlyArray<Column>,
  { omitEmpty, row }: { readonly row: number; readonly omitEmpty: boolean }
): RowObject => {
  const entries = columns.map(({ key }, column) => [key, shortenedValue(cells[column])] as const)
  return {
    [rowNumberKey]: row + 1,
    ...Object.fromEntries(omitEmpty ? entries.filter(([, value]) => value !== null) : entries)
  }
}

const shortenedValue = (value: CellValue | undefined): CellValue => {
  if (value === undefined || value === "") return null
  if (typeof value === "number" && !Number.isInteger(value)) return shownNumber(value)
  return typeof value === "string" && value.length > maxCharacters ? truncateText(value) : value
}

const truncateText = (text: string): string => {
  const kept = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "")
  return `${kept}…(+${text.length - kept.length})`
}
