import * as Predicate from "effect/Predicate"
import type { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { parseNumbers } from "../../../Domain/Json/ExactNumber.ts"
import { type FoundPart, partOf, partText } from "../../../Domain/Table/PartOf.ts"
import { type Cell, type Table, toCell, typed } from "../../../Domain/Table/Table.ts"
import { nearestTable, tableOf, valuesAt } from "../../../Domain/Table/TableRows.ts"
import type { TableSource } from "../../../Domain/Table/TableSource.ts"
import { type TableFormat, tableText } from "../../../Domain/Table/TableText.ts"
import { type KeptTable, toKept } from "../Kept/KeptTable.ts"
import { select } from "../Select/Select.ts"

export interface ShapeRequest {
  /** JMESPath. */
  readonly select?: string | undefined
  readonly format: "json" | TableFormat
  readonly source?: TableSource | undefined
  /** Keeps the table, or only one whose text has more characters than this. */
  readonly keep: boolean | number
  /** Columns before those of the table, and their cells in each row. With `keep`, other data becomes one row. */
  readonly before?: { readonly names: ReadonlyArray<string>; readonly cells: ReadonlyArray<Cell> }
  /** The most bytes of the field `data`. */
  readonly longest: number
}

export interface ShapedData {
  /** The field `data` of the response, as JSON in UTF-8. */
  readonly data: Uint8Array<ArrayBuffer>
  /** What the response of the provider says about rows that it lacks. */
  readonly page?: TablePart | undefined
}

export interface ShapedTable {
  readonly kept: KeptTable
  /** Columns without any cell. Their type is not known. */
  readonly empty: ReadonlyArray<string>
  /** The first rows, as JSON: a list of rows, or one text. */
  readonly preview: string
  /** The field `page` beside the data. */
  readonly part?: FoundPart | undefined
}

export interface ShapeFailure {
  readonly field: "select" | "format" | "keep"
  readonly message: string
}

export type Shaped = ShapedData | ShapedTable | ShapeFailure

/** `onSelect` is called before the work of the expression, `onSelected` after it. */
export interface ShapeSteps {
  readonly onSelect: () => void
  readonly onSelected: () => void
}

export const shape = (json: string, request: ShapeRequest, steps: ShapeSteps): Shaped => {
  const field = request.select === undefined ? request.keep === true ? "keep" : "format" : "select"
  try {
    return shaped(parseNumbers(json), request, steps)
  } catch (error) {
    // JavaScript also throws if a text becomes too long.
    return { field, message: error instanceof Error ? error.message : "It fails on the data" }
  }
}

const shaped = (whole: unknown, request: ShapeRequest, { onSelect, onSelected }: ShapeSteps): Shaped => {
  const { before, format, keep, select: expression, source } = request
  if (expression !== undefined) onSelect()
  const value = expression === undefined ? whole : select(expression, whole)
  // A value that an expression repeats is shared in memory, and written out here.
  const json = expression === undefined ? undefined : JSON.stringify(value)
  if (expression !== undefined) onSelected()
  const part = partOf(whole, source)
  if (keep !== true && format === "json") {
    const data = json ?? JSON.stringify(value)
    const shapedData = () => toData(data, request, expression === undefined ? undefined : part)
    if (keep === false || data.length <= keep) return shapedData()
    const table = tableOf(value, whole, source)
    return table === undefined || isTooWide(table) ? shapedData() : shapedTable(table, request, part)
  }
  const found = tableOf(value, whole, source)
  const table = before === undefined ? found : withCells(found ?? oneRow(value, source), before)
  if (table === undefined) {
    return { field: keep === true ? "keep" : "format", message: noTable(value, whole, expression) }
  }
  if (keep === true && isTooWide(table)) return { field: "keep", message: tooWide(table) }
  if (keep === true) return shapedTable(table, request, part)
  const data = dataOf(table, request, part)
  return keep === false || data.length <= keep || isTooWide(table)
    ? toData(data, request, part)
    : shapedTable(table, request, part)
}

/** One row of an object's fields: a response may have an object in place of the rows that were declared. */
const oneRow = (value: unknown, source: TableSource | undefined): Table => {
  const row = [...source === undefined ? [] : valuesAt(value, source.at), value].find(Predicate.isObject)
  const fields = row === undefined ? [["value", value] as const] : Object.entries(row)
  return typed(fields.map(([name]) => name), [fields.map(([, field]) => toCell(field))])
}

const withCells = ({ columns, rows }: Table, { cells, names }: NonNullable<ShapeRequest["before"]>): Table =>
  typed([...names, ...columns.map(({ name }) => name)], rows.map((row) => [...cells, ...row]))

/** SQLite's limit for a table. */
const maxColumns = 2000

const isTooWide = ({ columns }: Table): boolean => columns.length > maxColumns

const tooWide = ({ columns }: Table): string =>
  `A kept table has at most ${maxColumns} columns. This one has ${columns.length}: keep fewer of them with \`select\``

const toData = (
  json: string,
  { format, longest }: ShapeRequest,
  part: FoundPart | undefined
): ShapedData | ShapeFailure => {
  const data = json.length > longest ? undefined : new TextEncoder().encode(json)
  return data === undefined || data.length > longest
    ? { field: format === "json" ? "select" : "format", message: `The data would have more than ${longest} bytes` }
    : { data, page: part?.fields }
}

/** A text for agents says after the table that it is a part. */
const dataOf = (table: Table, { format, keep }: ShapeRequest, part?: FoundPart): string => {
  if (format === "json") return JSON.stringify(table.rows)
  const text = tableText(table, format)
  return JSON.stringify(
    typeof keep === "number" && part?.isPart === true ? `${text}\n${partText(part.fields)}\n` : text
  )
}

const previewRows = 20

const shapedTable = ({ columns, rows }: Table, request: ShapeRequest, part: FoundPart | undefined): ShapedTable => ({
  kept: toKept({ columns, rows }),
  empty: columns.flatMap(({ name }, index) => rows.every((row) => row[index] === null) ? [name] : []),
  preview: dataOf({ columns, rows: rows.slice(0, previewRows) }, request),
  part
})

const noTable = (value: unknown, whole: unknown, expression: string | undefined): string => {
  const below = expression === undefined ? undefined : nearestTable(value)
  const nearest = below === undefined ? nearestTable(whole) : `${expression} | ${below}`
  return nearest === undefined
    ? "Expected a table: a list of objects or of lists"
    : `Expected a table. The nearest list is \`select\`: ${JSON.stringify(nearest)}`
}
