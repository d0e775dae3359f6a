import { Effect, Option, Predicate, Schema, Stream, Struct } from "effect"
import { Argument, Command } from "effect/cli"
import { Csv } from "effect/encoding"
import { CallRequest, Format, IdempotencyKey } from "../../Api/Calls/CallApi.ts"
import { isPart, partText } from "../../Domain/Table/PartOf.ts"
import { keyApiWith, keyFlags } from "../ApiClient.ts"
import { reportFailure, usageError } from "../Failure.ts"
import { choiceFlag, countFlag, optionalFlag, switchFlag } from "../Flags.ts"
import { decodeFlags, readJson } from "../Input.ts"
import { providerArgument } from "../Lists.ts"
import { formatJson, jsonFlag, print, printData, printNote } from "../Output.ts"
import { type Column, table } from "../Table.ts"
import { callMany, isMany, manyFlags } from "./CallMany.ts"
import { findOperation } from "./Providers.ts"

const IdempotencyHeader = Schema.Struct({ "idempotency-key": Schema.optionalKey(IdempotencyKey) })

const printRows = Effect.fnUntraced(function*(csv: string) {
  const decoded = Stream.pipeThroughChannel(Stream.make(csv), Csv.decodeString({ maxRecordSize: Infinity }))
  const [heads = [], ...rows] = yield* Effect.orDie(Stream.runCollect(decoded))
  const columns = heads.map((head, index): Column<ReadonlyArray<string>> => ({
    head,
    value: (row) => row[index] ?? ""
  }))
  yield* print(csv, (style) => table(columns, rows, style))
})

export const call = Command.make(
  "call",
  {
    provider: providerArgument,
    operation: Argument.String("operation").pipe(
      Argument.withDescription("Id of a raw endpoint or name of a smart tool, see `oa providers show`")
    ),
    input: optionalFlag("input", "Input of the operation; - reads standard input", "JSON|@file|-"),
    connection_id: optionalFlag(
      "connection",
      "Required when the key sees several active connections of the provider",
      "<connection id>"
    ),
    max_age: countFlag("max-age", "Accept a cached response of at most this age", "<seconds>"),
    select: optionalFlag("select", "Print only this part of the data", "<JMESPath>"),
    format: choiceFlag(
      "format",
      [...Format.literals, "table"],
      "Print a table as CSV or Markdown, or in aligned columns for a terminal"
    ),
    keep: switchFlag("keep", "Keep the table for an hour; see `oa results`"),
    idempotencyKey: optionalFlag(
      "idempotency-key",
      "Makes a write safe to repeat: the same call with the same key gets the first response",
      "<key>"
    ),
    dryRun: switchFlag("dry-run", "Show what a write would change, and write nothing"),
    ...manyFlags,
    endpoint: switchFlag("endpoint", "The operation is a raw endpoint; skips the lookup"),
    tool: switchFlag("tool", "The operation is a smart tool; skips the lookup")
  },
  Effect.fnUntraced(function*({ endpoint, idempotencyKey, input: inputSource, operation, tool, ...flags }) {
    const { format, provider } = flags
    if (endpoint && tool) return yield* usageError("Pass either --endpoint or --tool, not both")
    const isAligned = Option.contains(format, "table")
    const input = Option.isSome(inputSource) ? yield* readJson("--input", inputSource.value) : undefined
    const headers = yield* decodeFlags(IdempotencyHeader, { "idempotency-key": idempotencyKey })
    const api = yield* keyApiWith(headers)

    const lookUpKind = Effect.gen(function*() {
      const { kind } = yield* findOperation(yield* api.providers.get({ params: { id: provider } }), operation)
      return kind
    })
    const kind = endpoint ? "endpoint" : tool ? "tool" : yield* lookUpKind
    const payload = yield* decodeFlags(CallRequest, {
      ...Struct.pick(flags, ["provider", "connection_id", "max_age", "select"]),
      [kind]: operation,
      input,
      format: isAligned ? "csv_raw" : format,
      keep: flags.keep ? true : undefined,
      dry_run: flags.dryRun ? true : undefined
    })
    if (isMany(flags)) {
      const rowFormat = Option.getOrElse(format, () => "csv" as const)
      if (rowFormat === "table" || rowFormat === "json") return yield* usageError("--all prints CSV or Markdown")
      return yield* callMany(payload, flags, rowFormat)
    }
    const response = yield* api.call.call({ payload })
    // A table is one text.
    if (Predicate.isString(response.data) && Option.isSome(format) && !(yield* jsonFlag)) {
      if (isAligned) yield* printRows(response.data)
      else yield* printData(response.data)
    } else yield* print(response, () => formatJson(response.data, 2))
    if (response.page !== undefined && isPart(response.page)) yield* printNote(partText(response.page))
    const source = response.cached ? "the cache" : response.connection_id
    yield* printNote(
      `${response.call_id} through ${source}, ${Math.round(response.latency_ms)} ms, $${response.cost_usd}`
    )
  }, reportFailure)
).pipe(
  Command.withDescription("Call a raw endpoint or a smart tool and print its data; --json prints the whole response"),
  Command.withExamples([
    { command: "oa call gsc sites.list", description: "A raw endpoint without input" },
    {
      command: "oa call gsc gsc_top_queries --input '{\"site\":\"example.com\",\"days\":28}' --max-age 3600",
      description: "A smart tool; accepts a response of the last hour from the cache"
    },
    {
      command: "oa call gsc gsc_top_queries --input '{\"site\":\"example.com\"}' --format csv > queries.csv",
      description: "A table for a spreadsheet; --select takes a part of it"
    },
    {
      command: "oa call gsc gsc_top_queries --input '{\"site\":\"example.com\"}' --format table",
      description: "To read"
    },
    {
      command: "oa call gsc gsc_top_queries --input '{\"days\":7}' --all --resources all > queries.csv",
      description: "One table of every site of every account"
    },
    { command: "jq -n '{…}' | oa call gsheets sheets_append_rows --input -", description: "Input from standard input" }
  ]),
  Command.withGlobalFlags(keyFlags)
)
