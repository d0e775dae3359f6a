import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type LoggedCallDetail } from "../Api/LogsApi.ts"
import { CallFilter, type LoggedCall } from "../Domain/Call.ts"
import { PageRequest } from "../Domain/Page.ts"
import { asCaller, callerFlags } from "./ApiClient.ts"
import { misuse, reported } from "./Failure.ts"
import { followCalls } from "./FollowCalls.ts"
import { given } from "./Input.ts"
import { pageFlags, printList, time } from "./Lists.ts"
import { asJson, jsonText, print, printLines, type Style } from "./Output.ts"
import { type Column, moreRows, record, table } from "./Table.ts"

const columns: ReadonlyArray<Column<LoggedCall>> = [
  { head: "time", value: ({ created_at }) => time(created_at) },
  {
    head: "outcome",
    value: ({ error_code, http_status }) => `${http_status} ${error_code ?? "ok"}`,
    tone: ({ outcome }) => outcome === "ok" ? "good" : "bad"
  },
  { head: "took", value: ({ cached, latency_ms }) => `${Math.round(latency_ms)} ms${cached ? ", cached" : ""}` },
  { head: "provider", value: ({ provider }) => provider ?? "" },
  { head: "target", value: ({ target }) => target ?? "" },
  { head: "call", value: ({ id }) => id }
]

/** Rows that are printed at different times stand below one another. */
const widths = [20, 24, 16, 10, 35, 31]
const followed = columns.map((column, index) => ({ ...column, width: widths[index] ?? 0 }))

const detailColumns: ReadonlyArray<Column<LoggedCall>> = [
  ...columns,
  { head: "cost", value: ({ cost_usd }) => `$${cost_usd}` },
  { head: "connection", value: ({ connection_id }) => connection_id ?? "" },
  { head: "client", value: ({ client_id }) => client_id ?? "" },
  { head: "key", value: ({ key_id }) => key_id ?? "" }
]

const detail = (call: LoggedCallDetail) => (style: Style) =>
  `${record(detailColumns, call, style)}

${style.dim("request")}
${jsonText(call.request, 2)}

${style.dim("response")}
${jsonText(call.response, 2)}`

export const logs = Command.make(
  "logs",
  {
    call: Argument.String("call").pipe(
      Argument.withDescription("The id of one call, to see its redacted request and response"),
      Argument.optional
    ),
    ...pageFlags,
    provider: Flag.String("provider").pipe(Flag.withDescription("Only calls to this provider"), Flag.optional),
    outcome: Flag.Literals("outcome", ["ok", "error"]).pipe(
      Flag.withDescription("Only calls that ended so"),
      Flag.optional
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("Go on printing calls as they end, oldest first"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ call, follow, ...flags }) {
    const filter = yield* given(Schema.Struct({ ...PageRequest, ...CallFilter }), flags)
    const api = yield* asCaller
    if (Option.isSome(call)) {
      if (follow || Object.keys(filter).length > 0) return yield* misuse("One call has no --follow, page or filter")
      const found = yield* api.logs.get({ params: { call_id: call.value } })
      return yield* print(found, detail(found))
    }
    if (!follow) {
      const answer = yield* api.logs.list({ query: filter })
      return yield* printList(answer, { rows: answer.calls, columns, nothing: "No calls." })
    }
    if (filter.cursor !== undefined) return yield* misuse("--follow and --cursor exclude each other")
    yield* followCalls({
      first: filter.limit ?? 10,
      list: (page) => api.logs.list({ query: { ...filter, ...page } }),
      begin: (calls) => printLines(calls, (style) => table(followed, calls, style)),
      print: (calls) => printLines(calls, (style) => moreRows(followed, calls, style))
    })
  }, reported)
).pipe(
  Command.withDescription("List the calls that the key can see, newest first; follow them; show one"),
  Command.withExamples([
    { command: "oa logs --outcome error --provider gsc" },
    { command: "oa logs --follow --json | jq -r .error_code", description: "A line for each call as it ends" },
    { command: "oa logs call_…", description: "One call with its request and response" }
  ]),
  Command.withGlobalFlags([...callerFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
