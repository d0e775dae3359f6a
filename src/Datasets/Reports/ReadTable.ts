import { Effect } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import type { Cell, Table } from "../../Domain/Table/Table.ts"
import { tableOf } from "../../Domain/Table/TableRows.ts"
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
      const table = tableOf(value, value, endpoint.rows?.(input))
      return table === undefined
        ? Effect.succeedNone
        : Effect.asSome(use({ rows: picked(table, columns), body: value }))
    }))

/** Rows whose columns are in place stay as they are: a day has up to 120,000. */
const picked = ({ columns, rows }: Table, names: ReadonlyArray<string>): ReadTable["rows"] => {
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  return places.length === columns.length && places.every((place, index) => place === index)
    ? rows
    : rows.map((row) => places.map((place) => row[place] ?? null))
}
