import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { optionalFlag } from "./Flags.ts"
import { print, printNote } from "./Output.ts"
import { type Column, record, table } from "./Table.ts"

export const pageFlags = {
  limit: Flag.Int("limit").pipe(
    Flag.withDescription("Page size, 1 to 200; by default 50"),
    Flag.optional
  ),
  cursor: optionalFlag("cursor", "Cursor that the previous page printed")
}

export const idArgument = (resource: string) =>
  Argument.String("id").pipe(
    Argument.withDescription(`Id of the ${resource}`),
    Argument.withSchema(Schema.NonEmptyString)
  )

export const providerArgument = Argument.String("provider").pipe(
  Argument.withDescription("Provider id, see `oa providers list`")
)

export const printList = <A>(
  page: { readonly cursor: string | null },
  { columns, emptyMessage, rows }: {
    readonly rows: ReadonlyArray<A>
    readonly columns: ReadonlyArray<Column<A>>
    readonly emptyMessage: string
  }
) =>
  Effect.gen(function*() {
    yield* print(page, (style) => rows.length === 0 ? emptyMessage : table(columns, rows, style))
    if (page.cursor !== null) yield* printNote(`There are more: --cursor ${page.cursor}`)
  })

/** `oa <name>` and `oa <name> list` are one command, beside `others`, such as `show`. */
export const withList = <
  const Flags extends Command.Command.Config,
  A,
  E,
  R,
  const Others extends ReadonlyArray<Command.Command.Any>
>(
  name: string,
  flags: Flags,
  handler: (input: Command.Command.Config.Infer<Flags>) => Effect.Effect<A, E, R>,
  others: Others
) =>
  Command.make(name, flags, handler).pipe(Command.withSubcommands([
    Command.make("list", flags, handler).pipe(
      Command.withDescription(`As \`oa ${name}\``),
      Command.withAlias("ls")
    ),
    ...others
  ]))

export const printRecord = <A>(columns: ReadonlyArray<Column<A>>, row: A) =>
  print(row, (style) => record(columns, row, style))

export const formatTime = (date: Date | null): string =>
  date === null ? "never" : `${date.toISOString().slice(0, 19).replace("T", " ")}Z`
