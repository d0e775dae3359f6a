import { Effect, Predicate, Record } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import { type CellsByColumn, type Table, toCell } from "../../Domain/Table/Table.ts"
import { tableOf } from "../../Domain/Table/TableRows.ts"
import type { ObjectRows } from "../../Domain/Table/TableSource.ts"
import type { ProviderCalls, RawEndpoint, RawInput } from "../../Providers/Provider.ts"

export interface ReadTable {
  /** In the order of the columns that were asked for. A column that the response lacks is `null`. */
  readonly cells: CellsByColumn
  /** The fields of the response that are no lists. */
  readonly fields: unknown
}

/** Gives `use` one response as the table that `keep` makes of it. */
export const readTable = <Input extends RawInput, A, E>(
  calls: ProviderCalls,
  endpoint: RawEndpoint<Input>,
  input: Input,
  columns: ReadonlyArray<string>,
  use: (table: ReadTable) => Effect.Effect<A, E>
): Effect.Effect<A, ToolCallError | E> =>
  calls.callWith(endpoint, input, (body) =>
    Effect.suspend(() => {
      // The parsed rows need not stay in memory until their cells are written.
      const value = body.takeValue()
      const source = endpoint.rows?.(input)
      const table = source?.kind === "objects" ? undefined : tableOf(value, value, source)
      const cells = source?.kind === "objects" ? cellsOf(value, source, columns) : table && picked(table, columns)
      if (cells === undefined || !Predicate.isReadonlyObject(value)) return Effect.succeedNone
      return Effect.asSome(use({ cells, fields: Record.filter(value, (field) => !Array.isArray(field)) }))
    }))

const picked = ({ columns, rows }: Table, names: ReadonlyArray<string>): CellsByColumn =>
  names.map((name) => {
    const place = columns.findIndex((column) => column.name === name)
    return rows.map((row) => row[place] ?? null)
  })

/** What `tableOf` also finds of objects, their columns and types, takes a tenth of the time from response to file. */
const cellsOf = (
  body: unknown,
  { at, keys = [] }: ObjectRows,
  columns: ReadonlyArray<string>
): CellsByColumn | undefined => {
  if (!Predicate.isObject(body)) return undefined
  // Google leaves empty lists out.
  const rows = at.reduce<unknown>((value, name) => Predicate.isObject(value) ? value[name] : undefined, body) ?? []
  if (!Array.isArray(rows) || !rows.every(Predicate.isObject)) return undefined
  return columns.map((name) => {
    const key = keys.indexOf(name)
    return key === -1
      ? rows.map((row) => toCell(row[name]))
      : rows.map(({ keys }) => toCell(Array.isArray(keys) ? keys[key] : null))
  })
}
