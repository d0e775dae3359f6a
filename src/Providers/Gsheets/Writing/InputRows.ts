import { Result } from "effect"
import { maxNamed, nameFirst, nameNearest } from "../../../Domain/Text/Nearest.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { columnLetters } from "../A1.ts"
import { type CellRows, type CellValue, isBlank } from "../CellValues.ts"
import { type Column, columnFinder, rowNumberKey } from "../ColumnKeys.ts"
import { type Checked, inputIssue, refusal } from "../Issues.ts"
import type { ArrayRow, ObjectRow, Rows } from "../Schemas.ts"

export type InputRows =
  | { readonly kind: "objects"; readonly rows: ReadonlyArray<ObjectRow> }
  | { readonly kind: "arrays"; readonly rows: ReadonlyArray<ArrayRow> }

const isArrayRow = (row: ObjectRow | ArrayRow): row is ArrayRow => Array.isArray(row)
const isObjectRow = (row: ObjectRow | ArrayRow): row is ObjectRow => !Array.isArray(row)

/** A text here is not the JSON of a list: `ReadInput.ts` has already parsed such a text. */
export const parseRows = (rows: Rows | string): Checked<InputRows> => {
  if (typeof rows === "string") {
    return refusal(["rows"], "Expected rows, or the JSON of rows; this text is no JSON of a list.")
  }
  const issues = rowIssues(rows)
  if (issues.length > 0) return Result.fail(issues)
  if (rows.every(isObjectRow)) return Result.succeed<InputRows>({ kind: "objects", rows })
  if (rows.every(isArrayRow)) return Result.succeed<InputRows>({ kind: "arrays", rows })
  const odd = rows.findIndex((row) => isArrayRow(row) !== isArrayRow(rows[0] ?? []))
  return refusal(["rows", odd], "Expected rows of one kind: all of them objects, or all of them arrays.")
}

export const headersFromKeys = (rows: ReadonlyArray<ObjectRow>): Checked<ReadonlyArray<string>> => {
  const blank = rows.findIndex((row) => Object.keys(row).some((key) => key.trim() === ""))
  if (blank !== -1) return refusal(["rows", blank], "A key without a name cannot become a header.")
  const keys = new Set(rows.flatMap((row) => Object.keys(row).map((key) => key.trim())))
  keys.delete(rowNumberKey)
  return keys.size === 0
    ? refusal(["rows"], "The rows have no keys to become headers.")
    : Result.succeed([...keys])
}

export interface LaidOutRows {
  readonly values: CellRows
  readonly left: number
  readonly pathTo: (row: number, column: number) => Issue["path"]
}

export const layOutObjects = (rows: ReadonlyArray<ObjectRow>, columns: ReadonlyArray<Column>): Checked<LaidOutRows> => {
  const find = columnFinder(columns)
  const issues: Array<Issue> = []
  const unknown = new Set<string>()
  const placed = rows.map((row, index) => {
    const cells = new Map<number, readonly [key: string, value: CellValue]>()
    for (const [key, value] of Object.entries(row)) {
      if (key === rowNumberKey) continue
      const column = find(key)
      const path = ["rows", index, key]
      if (column === undefined) {
        if (!unknown.has(key)) issues.push(inputIssue(path, unknownKey(key, columns)))
        unknown.add(key)
      } else if (cells.has(column.index)) issues.push(inputIssue(path, duplicateColumn(column)))
      else cells.set(column.index, [key, value])
    }
    return cells
  })
  if (issues.length > 0) return Result.fail(issues)
  const used = placed.flatMap((cells) => [...cells.keys()])
  const left = used.reduce((least, column) => Math.min(least, column), Infinity)
  const right = used.reduce((most, column) => Math.max(most, column), 0)
  return Result.succeed({
    left,
    values: placed.map((cells) =>
      Array.from({ length: right - left + 1 }, (_, column) => cells.get(left + column)?.[1] ?? null)
    ),
    pathTo: (row, column) => ["rows", row, placed[row]?.get(column)?.[0] ?? ""]
  })
}

export const layOutArrays = (rows: ReadonlyArray<ArrayRow>, left: number): LaidOutRows => {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  return {
    left,
    values: rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? null)),
    pathTo: (row, column) => ["rows", row, column - left]
  }
}

const duplicateColumn = ({ key }: Column): string =>
  `Another key of the row means the column ${JSON.stringify(key)} too.`

const isBlankHeader = ({ index, key, renamed }: Column): boolean =>
  renamed && key.startsWith(`col_${columnLetters(index)}`)

const unknownKey = (key: string, columns: ReadonlyArray<Column>): string => {
  const used = columns.slice(0, columns.findLastIndex((column) => !isBlankHeader(column)) + 2)
  const hint = used.every(({ renamed }) => renamed)
    ? `The header row is blank; its columns are ${nameFirst(columns.map(({ key }) => JSON.stringify(key)))}.`
    : `The ${used.length > maxNamed ? "nearest columns" : "columns"} are ${
      nameNearest(key, used.map(({ key }) => key), (name) => name, (name) => JSON.stringify(name))
    }.`
  return `There is no column ${JSON.stringify(key)}. ${hint}`
}

/** https://support.google.com/drive/answer/37603 */
const maxCharacters = 50_000

const rowIssues = (rows: Rows): ReadonlyArray<Issue> =>
  rows.flatMap((row, index) => {
    const cells = isArrayRow(row) ? [...row.entries()] : Object.entries(row).filter(([key]) => key !== rowNumberKey)
    return [
      ...(cells.every(([, value]) => isBlank(value))
        ? [inputIssue(["rows", index], "The row has no value, so there is nothing to write.")]
        : []),
      ...cells.flatMap(([key, value]) => textLengthIssues(value, ["rows", index, key]))
    ]
  })

export const textLengthIssues = (value: CellValue, path: Issue["path"]): ReadonlyArray<Issue> =>
  typeof value === "string" && value.length > maxCharacters
    ? [inputIssue(path, `The text has ${value.length} characters; a cell holds at most ${maxCharacters}.`)]
    : []
