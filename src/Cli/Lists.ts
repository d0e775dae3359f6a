import { Effect } from "effect"
import { Argument, Flag } from "effect/unstable/cli"
import { note, print } from "./Output.ts"
import { type Column, record, table } from "./Table.ts"

/** The flags of every list. */
export const pageFlags = {
  limit: Flag.Int("limit").pipe(
    Flag.withDescription("How many at most, 1 to 200; 50 by default"),
    Flag.optional
  ),
  cursor: Flag.String("cursor").pipe(
    Flag.withDescription("Where to go on: the cursor of the page before"),
    Flag.optional
  )
}

export const idArgument = (of: string) => Argument.String("id").pipe(Argument.withDescription(`The id of the ${of}`))

/** `json` is the whole answer; `nothing` says what an empty list means. */
export const printList = <A>(
  json: { readonly cursor: string | null },
  { columns, nothing, rows }: {
    readonly rows: ReadonlyArray<A>
    readonly columns: ReadonlyArray<Column<A>>
    readonly nothing: string
  }
) =>
  Effect.gen(function*() {
    yield* print(json, (style) => rows.length === 0 ? nothing : table(columns, rows, style))
    if (json.cursor !== null) yield* note(`There are more: --cursor ${json.cursor}`)
  })

export const printOne = <A>(columns: ReadonlyArray<Column<A>>, row: A) =>
  print(row, (style) => record(columns, row, style))

/** To the second, in UTC. */
export const time = (date: Date | null): string =>
  date === null ? "never" : `${date.toISOString().slice(0, 19).replace("T", " ")}Z`
