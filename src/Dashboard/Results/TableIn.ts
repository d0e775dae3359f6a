import { Predicate } from "effect"
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

/** How a response of a raw endpoint has its rows, by its form. */
const sourceOf = (data: Fields, request: unknown): TableSource | undefined => {
  if (isLists(data["values"])) return { kind: "sheet", at: ["values"] }
  const { metricHeaders, rows } = data
  if (!isObjects(rows)) return undefined
  if (Array.isArray(metricHeaders)) return { kind: "report", at: ["rows"] }
  const body = inputBody(request)
  const keys = isFields(body) ? body["dimensions"] : undefined
  return isTexts(keys) ? { ...objectsIn("rows"), keys } : objectsIn("rows")
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
