import * as Predicate from "effect/Predicate"
import { ExactNumber, exactNumber } from "../Json/ExactNumber.ts"
import { type Cell, type Table, toCell, typed } from "./Table.ts"
import type { ObjectRows, ReportRows, SheetRows, TableSource } from "./TableSource.ts"

type Fields = Readonly<Record<string, unknown>>

/**
 * The table of `value`, a part of the response `whole`: a list of objects or of lists, or the whole response of an
 * operation that declares its rows. `undefined` if it is none.
 */
export const tableOf = (value: unknown, whole: unknown, source: TableSource | undefined): Table | undefined => {
  if (source !== undefined && value === whole && !Array.isArray(whole)) return tableOfSource(whole, source)
  if (!Array.isArray(value)) return undefined
  if (source?.kind === "sheet" && valuesAt(whole, source.at).includes(value)) return sheetTable(value, source)
  if (value.every(isFields)) return source === undefined ? objectTable(value) : rowsTable(value, whole, source)
  return value.every(Array.isArray) ? listTable(value) : undefined
}

/** The path of the first list of objects or of lists in `value`, as JMESPath. */
export const nearestTable = (value: unknown): string | undefined => {
  const waiting: Array<{ readonly value: unknown; readonly path: string }> = [{ value, path: "" }]
  for (const { path, value } of waiting) {
    if (isTabular(value)) return path || "@"
    if (waiting.length > maxVisited) return undefined
    if (Array.isArray(value)) {
      value.slice(0, maxItems).forEach((item, index) => waiting.push({ value: item, path: `${path}[${index}]` }))
    } else if (isFields(value)) {
      for (const [name, field] of Object.entries(value)) {
        waiting.push({ value: field, path: path === "" ? identifier(name) : `${path}.${identifier(name)}` })
      }
    }
  }
  return undefined
}

const maxVisited = 10_000
const maxItems = 20

const identifier = (name: string): string => /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)

const isFields = (value: unknown): value is Fields => Predicate.isObject(value) && !(value instanceof ExactNumber)

const isTabular = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && (value.every(isFields) || value.every(Array.isArray))

const valueAt = (value: unknown, path: ReadonlyArray<string | number>): unknown => {
  let at = value
  for (const name of path) at = ownField(at, name)
  return at
}

/** The name `*` stands for each item of a list. */
export const valuesAt = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  path.reduce<ReadonlyArray<unknown>>((found, name) =>
    found.flatMap((item) => {
      if (name !== "*") return [ownField(item, name)]
      return Array.isArray(item) ? item : []
    }), [value])

const ownField = (value: unknown, name: string | number): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

const isRecord = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === "object" && value !== null

const tableOfSource = (whole: unknown, source: TableSource): Table | undefined => {
  if (!isFields(whole)) return undefined
  const lists = valuesAt(whole, source.at)
  // Google leaves empty lists out.
  const found = lists[0] ?? []
  if (!Array.isArray(found) || lists.length > 1) return undefined
  if (source.kind === "sheet") return found.every(Array.isArray) ? sheetTable(found, source) : undefined
  return found.every(isFields) ? rowsTable(found, whole, source) : undefined
}

const rowsTable = (rows: ReadonlyArray<Fields>, whole: unknown, source: TableSource): Table => {
  if (source.kind === "report") return reportTable(rows, whole, source)
  return source.kind === "objects" ? objectTable(rows, source, namedColumns(rows, whole, source)) : objectTable(rows)
}

/** All columns that the response names, if `rows` are its rows. For a part of them, only the columns that it has. */
const namedColumns = (rows: ReadonlyArray<Fields>, whole: unknown, source: ObjectRows): ReadonlyArray<string> => {
  const { at, columns = [], columnsIn } = source
  const names = columnsIn === undefined ? undefined : ownField(whole, columnsIn)
  if (!Array.isArray(names)) return rows.length === 0 ? columns : []
  const all = [...columns, ...names.map(String)]
  return valuesAt(whole, at)[0] === rows ? all : all.filter((name) => rows.some((row) => Object.hasOwn(row, name)))
}

const objectTable = (
  objects: ReadonlyArray<Fields>,
  { keys }: Partial<ObjectRows> = {},
  columns: ReadonlyArray<string> = []
): Table => {
  const isKeyed = keys !== undefined && objects.every(({ keys: values }) => hasLength(values, keys.length))
  const names = isKeyed ? keys : []
  const fields = new Set(columns)
  for (const object of objects) {
    for (const name of Object.keys(object)) if (!isKeyed || name !== "keys") fields.add(name)
  }
  const paths = [...fields].flatMap((name) => pathsBelow(objects, name))
  const places = [...names.map((_, index) => ["keys", index]), ...paths]
  const rows = objects.map((object) => places.map((path) => toCell(valueAt(object, path))))
  return typed([...names, ...paths.map((path) => path.join("_"))], rows)
}

const maxFieldsBelow = 20

/** A field with an object in each row, such as `previous`, becomes a column for each of its fields. */
const pathsBelow = (objects: ReadonlyArray<Fields>, name: string): ReadonlyArray<ReadonlyArray<string>> => {
  const below = new Set<string>()
  for (const object of objects) {
    const value = ownField(object, name)
    if (value === undefined || value === null) continue
    if (!isFields(value)) return [[name]]
    for (const field of Object.keys(value)) below.add(field)
    if (below.size > maxFieldsBelow) return [[name]]
  }
  return below.size === 0 ? [[name]] : [...below].map((field) => [name, field])
}

/** Without dimensions, rows have no keys. */
const hasLength = (value: unknown, length: number): boolean =>
  value === undefined ? length === 0 : Array.isArray(value) && value.length === length

const cellsOf = (values: unknown, width: number): ReadonlyArray<Cell> =>
  Array.from({ length: width }, (_, index) => toCell(Array.isArray(values) ? values[index] : undefined))

const listTable = (lists: ReadonlyArray<ReadonlyArray<unknown>>): Table => {
  const width = lists.reduce((most, { length }) => Math.max(most, length), 0)
  return typed(Array.from({ length: width }, () => ""), lists.map((list) => cellsOf(list, width)))
}

const sheetTable = (values: ReadonlyArray<ReadonlyArray<unknown>>, { byColumn = false }: SheetRows): Table => {
  const [header = [], ...lists] = byColumn ? transposed(values) : values
  const width = lists.reduce((most, { length }) => Math.max(most, length), header.length)
  const names = cellsOf(header, width).map((cell) => cell === null ? "" : String(cell))
  return typed(names, lists.map((list) => cellsOf(list, width).map((cell) => cell === "" ? null : cell)))
}

const transposed = (columns: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<ReadonlyArray<unknown>> => {
  const height = columns.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: height }, (_, row) => columns.map((column) => column[row]))
}

const namesIn = (whole: unknown, field: string): ReadonlyArray<string> => {
  const headers = ownField(whole, field)
  return Array.isArray(headers) ? headers.map((header) => String(ownField(header, "name") ?? "")) : []
}

const valueIn = (list: unknown, index: number): string =>
  String(ownField(Array.isArray(list) ? list[index] : undefined, "value") ?? "")

/** Google leaves zeros and empty texts out, and writes metrics as texts. */
const reportTable = (rows: ReadonlyArray<Fields>, whole: unknown, source: ReportRows): Table => {
  const report = valueAt(whole, source.at.slice(0, -1))
  const dimensions = namesIn(report, "dimensionHeaders")
  const metrics = namesIn(report, "metricHeaders")
  const isReport = rows.every((row) => "metricValues" in row || "dimensionValues" in row)
  if (!isReport || dimensions.length + metrics.length === 0) return objectTable(rows)
  return typed(
    [...dimensions, ...metrics],
    rows.map((row) => [
      ...dimensions.map((_, index) => valueIn(ownField(row, "dimensionValues"), index)),
      ...metrics.map((_, index) => toNumber(valueIn(ownField(row, "metricValues"), index)))
    ])
  )
}

const toNumber = (text: string): Cell => text === "" ? 0 : exactNumber(text) ?? text
