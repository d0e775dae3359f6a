import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { type LoggedCallDetail } from "../../../Api/LogsApi.ts"
import { CallFilter, type LoggedCall } from "../../../Domain/Call.ts"
import { PageRequest } from "../../../Domain/Page.ts"
import { keyApi, keyFlags } from "../../ApiClient.ts"
import { reportFailure, usageError } from "../../Failure.ts"
import { decodeFlags } from "../../Input.ts"
import { formatTime, pageFlags, printList } from "../../Lists.ts"
import { formatJson, jsonFlag, print, printLines, type Style } from "../../Output.ts"
import { type Column, moreRows, record, table } from "../../Table.ts"
import { requireProvider } from "../Providers.ts"
import { followCalls } from "./FollowCalls.ts"

const columns: ReadonlyArray<Column<LoggedCall>> = [
  { head: "time", value: ({ created_at }) => formatTime(created_at) },
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

/** Fixed widths align rows that are printed at different times. */
const widths = [20, 24, 16, 10, 35, 31]
const fixedColumns = columns.map((column, index) => ({ ...column, width: widths[index] ?? 0 }))

const detailColumns: ReadonlyArray<Column<LoggedCall>> = [
  ...columns,
  { head: "cost", value: ({ cost_usd }) => `$${cost_usd}` },
  { head: "connection", value: ({ connection_id }) => connection_id ?? "" },
  { head: "client", value: ({ client_id }) => client_id ?? "" },
  { head: "key", value: ({ key_id }) => key_id ?? "" }
]

const formatDetail = (call: LoggedCallDetail) => (style: Style) =>
  `${record(detailColumns, call, style)}

${style.dim("request")}
${formatJson(call.request, 2)}

${style.dim("response")}
${formatJson(call.response, 2)}`

export const logs = Command.make(
  "logs",
  {
    call: Argument.String("call").pipe(
      Argument.withDescription("Call id; shows the call's redacted request and response"),
      Argument.optional
    ),
    ...pageFlags,
    provider: Flag.String("provider").pipe(Flag.withDescription("Only calls to this provider"), Flag.optional),
    outcome: Flag.Literals("outcome", ["ok", "error"]).pipe(
      Flag.withDescription("Only calls with this outcome"),
      Flag.optional
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("Print calls as they end, oldest first"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ call, follow, ...flags }) {
    const filter = yield* decodeFlags(Schema.Struct({ ...PageRequest, ...CallFilter }), flags)
    const api = yield* keyApi
    if (filter.provider !== undefined) yield* requireProvider(api, filter.provider)
    if (Option.isSome(call)) {
      if (follow || Object.keys(filter).length > 0) {
        return yield* usageError("A call id cannot be combined with --follow, paging or filters")
      }
      const found = yield* api.logs.get({ params: { call_id: call.value } })
      return yield* print(found, formatDetail(found))
    }
    if (!follow) {
      const page = yield* api.logs.list({ query: filter })
      return yield* printList(page, { rows: page.calls, columns, emptyMessage: "No calls." })
    }
    if (filter.cursor !== undefined) return yield* usageError("Pass either --follow or --cursor, not both")
    yield* followCalls({
      first: filter.limit ?? 10,
      list: (page) => api.logs.list({ query: { ...filter, ...page } }),
      printFirst: (calls) => printLines(calls, (style) => table(fixedColumns, calls, style)),
      print: (calls) => printLines(calls, (style) => moreRows(fixedColumns, calls, style))
    })
  }, reportFailure)
).pipe(
  Command.withDescription("List calls that the key can see, newest first; follow new calls; show one call"),
  Command.withExamples([
    { command: "oa logs --outcome error --provider gsc" },
    { command: "oa logs --follow --json | jq -r .error_code", description: "One line for each call as it ends" },
    { command: "oa logs call_…", description: "One call with its request and response" }
  ]),
  Command.withGlobalFlags([...keyFlags, jsonFlag]),
  Command.provide(FetchHttpClient.layer)
)
