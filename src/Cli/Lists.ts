import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { PageRequest } from "../Domain/Page.ts"
import { asOperator } from "./ApiClient.ts"
import { reported } from "./Failure.ts"
import { given } from "./Input.ts"
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

const PageQuery = Schema.Struct(PageRequest)

/** `list`, of what only pages are asked for. */
export const listCommand = <A, Answer extends { readonly cursor: string | null }, E, R>(
  things: string,
  { ask, rowsOf, ...shown }: {
    readonly ask: (
      api: Effect.Success<typeof asOperator>,
      request: { readonly query: typeof PageQuery.Type }
    ) => Effect.Effect<Answer, E, R>
    readonly rowsOf: (answer: Answer) => ReadonlyArray<A>
    readonly columns: ReadonlyArray<Column<A>>
    readonly nothing: string
  }
) =>
  Command.make(
    "list",
    pageFlags,
    Effect.fnUntraced(function*(flags) {
      const query = yield* given(PageQuery, flags)
      const answer = yield* ask(yield* asOperator, { query })
      yield* printList(answer, { rows: rowsOf(answer), ...shown })
    }, reported)
  ).pipe(Command.withDescription(`List the ${things}, newest first`), Command.withAlias("ls"))

export const printOne = <A>(columns: ReadonlyArray<Column<A>>, row: A) =>
  print(row, (style) => record(columns, row, style))

/** To the second, in UTC. */
export const time = (date: Date | null): string =>
  date === null ? "never" : `${date.toISOString().slice(0, 19).replace("T", " ")}Z`
