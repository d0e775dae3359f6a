import { Effect, Option, Schema, Stdio } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Format } from "../../Api/Calls/CallApi.ts"
import { keyApi, keyFlags } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { choiceFlag, repeatableFlag } from "../../Cli/Flags.ts"
import { decodeFlags } from "../../Cli/Input.ts"
import { formatTime, idArgument, pageFlags, printList, withList } from "../../Cli/Lists.ts"
import { formatJson, jsonFlag, print, printData, printNote } from "../../Cli/Output.ts"
import { type Column, table } from "../../Cli/Table.ts"
import { PageRequest } from "../../Domain/Page.ts"
import { partText } from "../../Domain/Table/PartOf.ts"
import { type Cell, toCell } from "../../Domain/Table/Table.ts"
import { tableText } from "../../Domain/Table/TableText.ts"
import { ResultQuery, rowNumbers } from "./Contract.ts"
import type { KeptResult, ResultSummary } from "./Result.ts"

const columns: ReadonlyArray<Column<ResultSummary>> = [
  { head: "id", value: ({ id }) => id },
  { head: "rows", value: ({ rows }) => `${rows}` },
  { head: "columns", value: ({ columns }) => columns?.map(({ name }) => name).join(", ") ?? "many", width: 60 },
  { head: "expires", value: ({ expires_at }) => formatTime(expires_at) }
]

const formatFlag = choiceFlag("format", Format.literals, "By default a table on a terminal, else CSV")

interface Rows {
  readonly columns: KeptResult["columns"]
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** `undefined` is a table on a terminal, and CSV elsewhere. */
const printRows = Effect.fnUntraced(function*(answer: Rows, format: Format | undefined) {
  const { stdoutIsTerminal } = yield* Stdio.Stdio
  const rows = answer.rows.map((row) => row.map(toCell))
  if (format === "json" || (yield* jsonFlag)) return yield* print(answer, () => formatJson(answer, 2))
  if (format !== undefined || !(yield* stdoutIsTerminal)) {
    return yield* printData(tableText({ columns: answer.columns, rows }, format ?? "csv"))
  }
  const shown = answer.columns.map(({ name }, index): Column<ReadonlyArray<Cell>> => ({
    head: name,
    value: (row) => String(row[index] ?? "")
  }))
  yield* print(answer, (style) => table(shown, rows, style))
})

const show = Command.make(
  "show",
  {
    id: idArgument("result"),
    offset: Flag.Int("offset").pipe(
      Flag.withDescription("The first row, from 0"),
      Flag.withSchema(rowNumbers.offset),
      Flag.withDefault(0)
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("The most rows, 1 to 10000"),
      Flag.withSchema(rowNumbers.limit),
      Flag.withDefault(100)
    ),
    format: formatFlag
  },
  Effect.fnUntraced(function*({ format, id, limit, offset }) {
    const page = yield* (yield* keyApi).results.get({ params: { id }, query: { offset, limit } })
    yield* printRows(page, Option.getOrUndefined(format))
    const cut = page.truncated === true ? ", because a page has at most 8 MB" : ""
    yield* printNote(`${page.rows.length} of ${page.total} rows${cut}`)
    if (page.part !== undefined) yield* printNote(partText(page.part))
  }, reportFailure)
).pipe(Command.withDescription("Print rows of a kept result"))

const query = Command.make(
  "query",
  {
    id: idArgument("result"),
    sql: Argument.String("sql").pipe(Argument.withDescription("One SELECT in SQLite's dialect over the table result")),
    tables: repeatableFlag("table", "A further table, such as before=res_…; can be given again", "<name>=<id>"),
    format: formatFlag
  },
  Effect.fnUntraced(function*({ format, id, sql, tables }) {
    const results = tables && Object.fromEntries(tables.map((table) => table.split("=", 2)))
    const payload = yield* decodeFlags(ResultQuery, { sql, results })
    const answer = yield* (yield* keyApi).results.query({ params: { id }, payload })
    yield* printRows(answer, Option.getOrUndefined(format))
    for (const part of Object.values(answer.parts ?? {})) yield* printNote(partText(part))
    if (answer.truncated) yield* printNote(`These are the first ${answer.rows.length} rows; there are more`)
  }, reportFailure)
).pipe(
  Command.withDescription("Ask a kept result with SQL"),
  Command.withExamples([{ command: "oa results query res_… 'SELECT query, clicks FROM result ORDER BY clicks DESC'" }])
)

const remove = Command.make(
  "delete",
  { id: idArgument("result") },
  Effect.fnUntraced(function*({ id }) {
    yield* (yield* keyApi).results.remove({ params: { id } })
    yield* print({ id, deleted: true }, () => `${id} is deleted.`)
  }, reportFailure)
).pipe(Command.withDescription("Delete a kept result"))

export const results = withList(
  "results",
  pageFlags,
  Effect.fnUntraced(function*(flags) {
    const query = yield* decodeFlags(Schema.Struct(PageRequest), flags)
    const page = yield* (yield* keyApi).results.list({ query })
    yield* printList(page, {
      rows: page.results,
      columns,
      emptyMessage: "No kept results; `oa call … --keep` makes one."
    })
  }, reportFailure),
  [show, query, remove]
).pipe(
  Command.withDescription("List the kept results of the key, newest first; page through them, ask them with SQL"),
  Command.withGlobalFlags(keyFlags)
)
