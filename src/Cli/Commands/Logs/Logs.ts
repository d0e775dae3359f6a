import { Effect, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { type LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { CallFilter, type LoggedCall } from "../../../Domain/Calls/Call.ts"
import { PageRequest } from "../../../Domain/Page.ts"
import { nameNearest } from "../../../Domain/Text/Nearest.ts"
import { adminApi, callerFlags, keyApi } from "../../ApiClient.ts"
import { formatFlag, printExport } from "../../Export.ts"
import { reportFailure, usageError } from "../../Failure.ts"
import { optionalFlag } from "../../Flags.ts"
import { decodeFlags, readText } from "../../Input.ts"
import { formatTime, idArgument, pageFlags, printList, withList } from "../../Lists.ts"
import { formatJson, print, printLines, type Style } from "../../Output.ts"
import { type Column, moreRows, record, table } from "../../Table.ts"
import { requireProvider } from "../Providers.ts"
import { allFlag, filterFlags } from "./FilterFlags.ts"
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

/** Fixed, so that rows printed at different times align. */
const widths = [20, 24, 16, 10, 35, 31]
const fixedColumns = columns.map((column, index) => ({ ...column, width: widths[index] ?? 0 }))

const detailColumns: ReadonlyArray<Column<LoggedCall>> = [
  ...columns,
  { head: "cost", value: ({ cost_usd }) => `$${cost_usd}` },
  { head: "connection", value: ({ connection_id }) => connection_id ?? "" },
  { head: "client", value: ({ client_id }) => client_id ?? "" },
  { head: "member", value: ({ member_id }) => member_id ?? "" },
  { head: "key", value: ({ key_id }) => key_id ?? "" },
  { head: "grant", value: ({ grant_id }) => grant_id ?? "" },
  { head: "via", value: ({ via }) => via ?? "" }
]

const formatDetail = (call: LoggedCallDetail) => (style: Style) =>
  `${record(detailColumns, call, style)}

${style.dim("request")}
${formatJson(call.request, 2)}

${style.dim("response")}
${formatJson(call.response, 2)}`

type Query = Parameters<Effect.Success<typeof keyApi>["logs"]["list"]>[0]["query"]

/** The admin token cannot list the providers, and the called service may have others than this program. */
const requireCalledProvider = Effect.fnUntraced(function*(api: Effect.Success<typeof adminApi>, id: string) {
  const { providers } = yield* Effect.promise(() => import("../../../Registrations.ts"))
  if (providers.some((provider) => provider.id === id)) return
  const { calls } = yield* api.adminLogs.list({ query: { provider: id, limit: 1 } })
  if (calls.length > 0) return
  const known = nameNearest(id, providers, (provider) => provider.id)
  return yield* usageError(`No calls to a provider "${id}"; the nearest of this version are ${known}`)
})

const logReader = Effect.fnUntraced(function*(all: boolean, provider: string | undefined) {
  const api = yield* all ? adminApi : keyApi
  if (provider !== undefined) yield* all ? requireCalledProvider(api, provider) : requireProvider(api, provider)
  const logs = all ? api.adminLogs : api.logs
  return {
    get: Effect.fnUntraced(function*(call_id: string) {
      return yield* logs.get({ params: { call_id } })
    }),
    list: Effect.fnUntraced(function*(query: Query) {
      return yield* logs.list({ query })
    }),
    search: Effect.fnUntraced(function*(query: CallFilter & PageRequest, secret: Redacted.Redacted) {
      return yield* logs.search({ payload: { ...query, secret } })
    }),
    export: Effect.fnUntraced(function*(query: Query) {
      return yield* logs.list({ query, responseMode: "response-only" })
    })
  }
})

const readSearched = Effect.fnUntraced(function*(source: Option.Option<string>) {
  if (Option.isNone(source)) return undefined
  if (source.value !== "-") {
    return yield* usageError("--secret takes - (standard input): other users can read the command line")
  }
  return Redacted.make((yield* readText("--secret", "-")).trim())
})

const show = Command.make(
  "show",
  { call: idArgument("call"), all: allFlag },
  Effect.fnUntraced(function*({ all, call }) {
    const { get } = yield* logReader(all, undefined)
    const found = yield* get(call)
    yield* print(found, formatDetail(found))
  }, reportFailure)
).pipe(Command.withDescription("Show one call with its redacted request and response"))

export const logs = withList(
  "logs",
  {
    ...pageFlags,
    ...filterFlags,
    all: allFlag,
    format: formatFlag,
    secret: optionalFlag("secret", "Only calls from which redaction removed the secret on standard input", "-"),
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("Print calls as they end, oldest first"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ all, follow, format, secret: source, ...flags }) {
    const filter = yield* decodeFlags(Schema.Struct({ ...PageRequest, ...CallFilter }), flags)
    const secret = yield* readSearched(source)
    if (secret !== undefined && (follow || Option.isSome(format))) {
      return yield* usageError("Pass --secret without --follow and --format")
    }
    const { list, ...reader } = yield* logReader(all, filter.provider)
    if (Option.isSome(format)) {
      if (follow) return yield* usageError("Pass either --follow or --format, not both")
      return yield* printExport(reader.export({ ...filter, format: format.value }))
    }
    if (!follow) {
      const page = yield* secret === undefined ? list(filter) : reader.search(filter, secret)
      return yield* printList(page, {
        rows: page.calls,
        columns,
        emptyMessage: secret !== undefined
          ? "No calls from which this secret was removed."
          : filter.provider === undefined
          ? "No calls."
          : `No calls to a provider "${filter.provider}".`
      })
    }
    if (filter.cursor !== undefined) return yield* usageError("Pass either --follow or --cursor, not both")
    yield* followCalls({
      first: filter.limit ?? 10,
      list: (page) => list({ ...filter, ...page }),
      printFirst: (calls) => printLines(calls, (style) => table(fixedColumns, calls, style)),
      print: (calls) => printLines(calls, (style) => moreRows(fixedColumns, calls, style))
    })
  }, reportFailure),
  [show]
).pipe(
  Command.withDescription("List calls that the key can see, newest first; follow new calls; show one call"),
  Command.withExamples([
    { command: "oa logs --outcome error --provider gsc" },
    { command: "oa logs --follow --json | jq -r .error_code", description: "One line for each call as it ends" },
    { command: "oa logs --all --error unauthenticated --since 2026-11-01", description: "With the admin token" },
    {
      command: "oa logs --since 2026-11-01 --format csv > calls.csv",
      description: "Everything that the filters select"
    },
    { command: "oa logs --all --secret - < leaked.txt", description: "Calls from which a leaked secret was removed" },
    { command: "oa logs show call_…", description: "One call with its request and response" }
  ]),
  Command.withGlobalFlags(callerFlags)
)
