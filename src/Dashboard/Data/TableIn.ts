import { Predicate } from "effect"
import type { TablePart } from "../../Domain/Calls/TablePart.ts"
import { partOf } from "../../Domain/Table/PartOf.ts"
import type { Table } from "../../Domain/Table/Table.ts"
import { tableOf } from "../../Domain/Table/TableRows.ts"
import { objectsIn, type TableSource } from "../../Domain/Table/TableSource.ts"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => Predicate.isObject(value)

const isListOf = (isItem: (value: unknown) => boolean) => (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) && value.length > 0 && value.every(isItem)

const isObjects = isListOf(isFields)
const isLists = isListOf(Array.isArray)

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(Predicate.isString)

const inputBody = (request: unknown): unknown =>
  isFields(request) && isFields(request["input"]) ? request["input"]["body"] : undefined

/** Where a response of a raw endpoint has its rows, judged by its fields. */
const sourceOf = (data: Fields, request: unknown): TableSource | undefined => {
  if (isLists(data["values"])) return { kind: "sheet", at: ["values"] }
  const { metricHeaders, rows } = data
  if (!isObjects(rows)) return undefined
  const found = inputBody(request)
  const body = isFields(found) ? found : {}
  if (Array.isArray(metricHeaders)) {
    return { kind: "report", at: ["rows"], paging: { total: "rowCount", offset: Number(body["offset"] ?? 0) } }
  }
  const { dimensions: keys, rowLimit = 1000, startRow = 0 } = body
  if (isTexts(keys)) {
    return { ...objectsIn("rows"), keys, paging: { limit: Number(rowLimit), offset: Number(startRow) } }
  }
  const named = data["columns"]
  if (!isTexts(named)) return objectsIn("rows")
  // The row number of a sheet comes first, and is not named.
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !named.includes(name))
  return { ...objectsIn("rows"), columns, columnsIn: "columns" }
}

/** What a response says about rows that it lacks, if it lacks any. */
export const partIn = (data: unknown, request: unknown): TablePart | undefined => {
  if (!isFields(data)) return undefined
  const source = sourceOf(data, request) ??
    ("nextPageToken" in data ? { ...objectsIn(), paging: { token: "nextPageToken" } } : undefined)
  const part = partOf(data, source)
  return part?.isPart === true ? part.fields : undefined
}

/** The table of a response, or of a part of it. `undefined` if it is none. */
export const tableIn = (data: unknown, request?: unknown): Table | undefined => {
  if (isObjects(data) || isLists(data)) return tableOf(data, data, undefined)
  if (!isFields(data)) return undefined
  const source = sourceOf(data, request)
  if (source !== undefined) return tableOf(data, data, source)
  const list = Object.values(data).find(isObjects)
  return list && tableOf(list, list, undefined)
}
