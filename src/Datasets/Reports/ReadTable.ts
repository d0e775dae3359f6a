import { Effect, Predicate } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import { type Cell, type Table, toCell } from "../../Domain/Table/Table.ts"
import { tableOf } from "../../Domain/Table/TableRows.ts"
import type { ObjectRows } from "../../Domain/Table/TableSource.ts"
import type { ProviderCalls, RawEndpoint, RawInput } from "../../Providers/Provider.ts"

export interface ReadTable {
  /** Cells in the order of the columns that were asked for. A column that the response lacks is `null`. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  readonly body: unknown
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
      // What was parsed need not stay in memory until the rows are written.
      const value = body.takeValue()
      const source = endpoint.rows?.(input)
      const table = source?.kind === "objects" ? undefined : tableOf(value, value, source)
      const rows = source?.kind === "objects" ? rowsOf(value, source, columns) : table && picked(table, columns)
      return rows === undefined ? Effect.succeedNone : Effect.asSome(use({ rows, body: value }))
    }))

const picked = ({ columns, rows }: Table, names: ReadonlyArray<string>): ReadTable["rows"] => {
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  return rows.map((row) => places.map((place) => row[place] ?? null))
}

/** What `tableOf` also finds of objects, their columns and types, takes a tenth of the time from response to file. */
const rowsOf = (
  body: unknown,
  { at, keys = [] }: ObjectRows,
  columns: ReadonlyArray<string>
): ReadTable["rows"] | undefined => {
  if (!Predicate.isObject(body)) return undefined
  // Google leaves empty lists out.
  const rows = at.reduce<unknown>((value, name) => Predicate.isObject(value) ? value[name] : undefined, body) ?? []
  if (!Array.isArray(rows) || !rows.every(Predicate.isObject)) return undefined
  const places = columns.map((name) => ({ name, key: keys.indexOf(name) }))
  return rows.map((row) =>
    places.map(({ key, name }) => toCell(key === -1 ? row[name] : Array.isArray(row["keys"]) ? row["keys"][key] : null))
  )
}
