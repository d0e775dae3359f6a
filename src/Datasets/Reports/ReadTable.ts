import { Effect, Option } from "effect"
import type { ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Cell, Table } from "../../Domain/Table/Table.ts"
import { tableOf } from "../../Domain/Table/TableRows.ts"
import type { ProviderCalls, RawEndpoint, RawInput } from "../../Providers/Provider.ts"

export interface ReadTable {
  /** Cells in the order of the columns that were asked for. A column that the response lacks is `null`. */
  readonly rows: Array<Array<Cell>>
  readonly body: unknown
}

/** One response as the table that `keep` makes of it. */
export const readTable = <Input extends RawInput>(
  calls: ProviderCalls,
  endpoint: RawEndpoint<Input>,
  input: Input,
  columns: ReadonlyArray<string>
): Effect.Effect<ReadTable, ToolCallError> =>
  calls.callWith(endpoint, input, (body: JsonText) =>
    Effect.sync(() => {
      const { value } = body
      return Option.map(
        Option.fromUndefinedOr(tableOf(value, value, endpoint.rows?.(input))),
        (table): ReadTable => ({ rows: picked(table, columns), body: value })
      )
    }))

const picked = ({ columns, rows }: Table, names: ReadonlyArray<string>): Array<Array<Cell>> => {
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  return rows.map((row) => places.map((place) => row[place] ?? null))
}
