import { type CellValue, isBlank, type Lines } from "./Answers.ts"
import { type Column, rowKey } from "./HeaderKeys.ts"

const mostCharacters = 2000
/** Of a whole answer, so that it fits where a reader's attention is short. */
const mostBytes = 60_000

export interface RowPage {
  readonly rows: ReadonlyArray<object>
  /** Where the next page starts, when there is one. */
  readonly next: number | undefined
}

export interface PageRequest {
  readonly limit: number
  readonly offset: number
  readonly includeBlank: boolean
  /** The zero-based row of the sheet that offset 0 is. */
  readonly firstRow: number
  /** The offset of the next row behind these lines, where there is one. */
  readonly next: number | undefined
}

/**
 * The page of rows that starts with `lines[0]`, which is the line at the offset. Blank lines are passed over, but for
 * those that are asked for; behind the last row that is none they are never rows.
 */
export const rowPage = (lines: Lines, columns: ReadonlyArray<Column>, request: PageRequest): RowPage => {
  const { firstRow, includeBlank, limit, next, offset } = request
  const last = next === undefined ? lines.findLastIndex(isFilled) : lines.length - 1
  const rows: Array<object> = []
  let bytes = columns.reduce((sum, { key }) => sum + Buffer.byteLength(key) + 4, 0)
  for (const [index, line] of lines.slice(0, last + 1).entries()) {
    if (!includeBlank && !isFilled(line)) continue
    const row = rowObject(line, columns, firstRow + offset + index)
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    const isFull = rows.length === limit || (rows.length > 0 && bytes > mostBytes)
    if (isFull) return { rows, next: offset + index }
    rows.push(row)
  }
  return { rows, next }
}

export const isFilled = (line: ReadonlyArray<CellValue>): boolean => !line.every(isBlank)

/** How many rows lines have in all. */
export const countRows = (lines: Lines, includeBlank: boolean): number =>
  includeBlank ? lines.findLastIndex(isFilled) + 1 : lines.filter(isFilled).length

/** As wide as the last cell that holds something. */
export const widthOf = (lines: Lines): number =>
  lines.reduce((widest, line) => Math.max(widest, line.findLastIndex((value) => !isBlank(value)) + 1), 0)

/** Built from entries, so that a column called `__proto__` is a key as any other. */
const rowObject = (line: ReadonlyArray<CellValue>, columns: ReadonlyArray<Column>, row: number): object =>
  Object.fromEntries([
    [rowKey, row + 1],
    ...columns.map(({ key }, column): [string, CellValue] => [key, shown(line[column])])
  ])

const shown = (value: CellValue | undefined): CellValue => {
  if (value === undefined || value === "") return null
  return typeof value === "string" && value.length > mostCharacters ? beginning(value) : value
}

/** Not in the middle of a character of two code units. */
const beginning = (text: string): string => {
  const kept = text.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, "")
  return `${kept}…(+${text.length - kept.length})`
}
