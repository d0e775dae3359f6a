import { Result, Schema } from "effect"
import type { Issue } from "../../Domain/Issue.ts"
import { validator } from "../../Domain/Validation.ts"
import { CellValue, isBlank, type Lines } from "./Answers.ts"
import { type Column, columnFinder, rowKey } from "./HeaderKeys.ts"
import { mistake, mistaken, named } from "./Mistakes.ts"

const ByKey = Schema.Record(Schema.String, CellValue).annotate({ description: "A row by header names." })
const InOrder = Schema.Array(CellValue).annotate({ description: "A row in the order of the columns." })
type ByKey = typeof ByKey.Type
type InOrder = typeof InOrder.Type

const Rows = Schema.Array(Schema.Union([ByKey, InOrder])).check(
  Schema.isMinLength(1, { expected: "at least one row" }),
  Schema.isMaxLength(1000, { expected: "at most 1000 rows" })
)

/** Rows to write, as a caller gives them; a text is the JSON of the same. */
export const rowsField = (description: string) => Schema.Union([Rows, Schema.String]).annotate({ description })
export type RowsInput = typeof Rows.Type | string

export type GivenRows =
  | { readonly kind: "objects"; readonly rows: ReadonlyArray<ByKey> }
  | { readonly kind: "arrays"; readonly rows: ReadonlyArray<InOrder> }

const validate = validator(Rows, ["input", "rows"])

const isInOrder = (row: ByKey | InOrder): row is InOrder => Array.isArray(row)
const isByKey = (row: ByKey | InOrder): row is ByKey => !Array.isArray(row)

/** One kind of rows, read from JSON where need be. */
export const givenRows = (input: RowsInput): Result.Result<GivenRows, ReadonlyArray<Issue>> =>
  Result.flatMap(typeof input === "string" ? parsed(input) : Result.succeed(input), (rows) => {
    const issues = rowIssues(rows)
    if (issues.length > 0) return mistaken(...issues)
    if (rows.every(isByKey)) return Result.succeed<GivenRows>({ kind: "objects", rows })
    if (rows.every(isInOrder)) return Result.succeed<GivenRows>({ kind: "arrays", rows })
    const odd = rows.findIndex((row) => isInOrder(row) !== isInOrder(rows[0] ?? []))
    return mistaken(mistake(["rows", odd], "Expected rows of one kind: all of them objects, or all of them arrays."))
  })

const parsed = (text: string) =>
  Result.flatMap(
    Result.try({
      try: (): unknown => JSON.parse(text),
      catch: () => [mistake(["rows"], "Expected rows, or the JSON of rows; this text is no JSON.")]
    }),
    validate
  )

/** The headers that rows of objects would have of themselves: their keys, in the order of their first appearance. */
export const headersIn = (rows: ReadonlyArray<ByKey>): Result.Result<ReadonlyArray<string>, ReadonlyArray<Issue>> => {
  const blank = rows.findIndex((row) => Object.keys(row).some((key) => key.trim() === ""))
  if (blank !== -1) return mistaken(mistake(["rows", blank], "A key without a name cannot become a header."))
  const keys = new Set(rows.flatMap((row) => Object.keys(row).map((key) => key.trim())))
  keys.delete(rowKey)
  return keys.size === 0
    ? mistaken(mistake(["rows"], "The rows have no keys to become headers."))
    : Result.succeed([...keys])
}

/** Rows by column, from some column on, and where in the input each cell came from. */
export interface LaidOut {
  readonly lines: Lines
  readonly left: number
  readonly pathTo: (row: number, column: number) => Issue["path"]
}

/**
 * Rows of objects laid out by column; what a row does not have is `null`. Every key has to be a column's; `_row`, which
 * says where a row was read, is not written.
 */
export const byColumn = (
  rows: ReadonlyArray<ByKey>,
  columns: ReadonlyArray<Column>
): Result.Result<LaidOut, ReadonlyArray<Issue>> => {
  const find = columnFinder(columns)
  const issues: Array<Issue> = []
  const unknown = new Set<string>()
  const placed = rows.map((row, index) => {
    const cells = new Map<number, readonly [key: string, value: CellValue]>()
    for (const [key, value] of Object.entries(row)) {
      if (key === rowKey) continue
      const column = find(key)
      const path = ["rows", index, key]
      if (column === undefined) {
        if (!unknown.has(key)) issues.push(mistake(path, unknownKey(key, columns)))
        unknown.add(key)
      } else if (cells.has(column.index)) issues.push(mistake(path, twice(column)))
      else cells.set(column.index, [key, value])
    }
    return cells
  })
  if (issues.length > 0) return mistaken(...issues)
  const used = placed.flatMap((cells) => [...cells.keys()])
  const left = used.reduce((least, column) => Math.min(least, column), Infinity)
  const right = used.reduce((most, column) => Math.max(most, column), 0)
  return Result.succeed({
    left,
    lines: placed.map((cells) =>
      Array.from({ length: right - left + 1 }, (_, column) => cells.get(left + column)?.[1] ?? null)
    ),
    pathTo: (row, column) => ["rows", row, placed[row]?.get(column)?.[0] ?? ""]
  })
}

/** Rows of arrays, as long as the longest. */
export const inOrder = (rows: ReadonlyArray<InOrder>, left: number): LaidOut => {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  return {
    left,
    lines: rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? null)),
    pathTo: (row, column) => ["rows", row, column - left]
  }
}

const twice = ({ key }: Column): string => `Another key of the row means the column ${JSON.stringify(key)} too.`

const unknownKey = (key: string, columns: ReadonlyArray<Column>): string => {
  const headers = columns.filter(({ renamed }) => !renamed).map(({ key }) => key)
  const others = columns.filter(({ renamed }) => renamed).map(({ key }) => key)
  return `There is no column ${JSON.stringify(key)}. ` + (headers.length === 0
    ? `The header row is blank; its columns are ${named(others.slice(0, 5))} and so on.`
    : `The headers are ${named(headers)}.`)
}

/** https://support.google.com/drive/answer/37603 */
const mostCharacters = 50_000

/** What is wrong with rows wherever they go: rows that would write nothing, texts that no cell can hold. */
const rowIssues = (rows: RowsInList): ReadonlyArray<Issue> =>
  rows.flatMap((row, index) => {
    const cells = isInOrder(row) ? [...row.entries()] : Object.entries(row).filter(([key]) => key !== rowKey)
    return [
      ...(cells.every(([, value]) => isBlank(value))
        ? [mistake(["rows", index], "The row has no value, so there is nothing to write.")]
        : []),
      ...cells.flatMap(([key, value]) => tooLong(value, ["rows", index, key]))
    ]
  })
type RowsInList = typeof Rows.Type

export const tooLong = (value: CellValue, path: Issue["path"]): ReadonlyArray<Issue> =>
  typeof value === "string" && value.length > mostCharacters
    ? [mistake(path, `The text has ${value.length} characters; a cell holds ${mostCharacters} at most.`)]
    : []
