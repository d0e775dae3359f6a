import { Console, Effect, Schema } from "effect"
import type { CallRequest, CallResponse } from "../../../Api/Calls/CallApi.ts"
import { company } from "../../../Sandbox/Data/Company.ts"
import { planId } from "../../../Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../../Sandbox/Providers/Gsheets/Leads.ts"

export type Call<E> = (request: CallRequest) => Effect.Effect<CallResponse, E>

export const topQueries = {
  provider: "gsc",
  tool: "gsc_top_queries",
  input: { site: company.domain, days: 28, limit: 3 }
} as const

const Queries = Schema.Struct({
  rows: Schema.NonEmptyArray(Schema.Struct({ query: Schema.String, clicks: Schema.Number }))
})
const Properties = Schema.Struct({ total: Schema.Number })
const Sites = Schema.Struct({ d: Schema.Array(Schema.Unknown) })
const Tabs = Schema.Struct({ tabs: Schema.Array(Schema.Struct({ tab: Schema.String })) })
const Text = Schema.Struct({ title: Schema.String, text: Schema.String })
const Appended = Schema.Struct({ updated_range: Schema.String })
const Cells = Schema.Struct({ values: Schema.Array(Schema.Array(Schema.String)) })

const leads = { spreadsheet: leadsId, tab: "Leads" }
export const append = {
  provider: "gsheets",
  tool: "sheets_append_rows",
  input: { ...leads, rows: [{ Name: "Demo Visitor", Email: "visitor@example.com" }] }
}

const print = ({ endpoint, max_age, provider, tool = endpoint }: CallRequest, note: string) =>
  Console.log(`  ${`${provider} ${tool}`.padEnd(28)} ${max_age === undefined ? "" : `max_age ${max_age}: `}${note}`)

export const transcript = Effect.fnUntraced(function*<E extends { readonly message: string }>(
  { read, write }: { readonly read: Call<E>; readonly write: Call<E> }
) {
  const show = Effect.fnUntraced(function*<A>(
    call: Call<E>,
    request: CallRequest,
    data: Schema.Codec<A, unknown>,
    describe: (data: A, response: CallResponse) => string
  ) {
    const response = yield* call(request)
    const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(data)(response.data))
    yield* print(request, describe(decoded, response))
    return { response, data: decoded }
  })

  yield* Console.log("One call for each provider")
  const { response } = yield* show(
    read,
    topQueries,
    Queries,
    ({ rows: [first] }) => `the top query is "${first.query}" with ${first.clicks} clicks`
  )
  yield* show(read, { provider: "ga4", tool: "ga4_list_properties" }, Properties, ({ total }) => `${total} properties`)
  yield* show(
    read,
    { provider: "sitesearch", endpoint: "GetUserSites" },
    Sites,
    ({ d }) => `${d.length} sites`
  )
  yield* show(
    read,
    { provider: "gsheets", tool: "sheets_list_tabs", input: { spreadsheet: leadsId } },
    Tabs,
    ({ tabs }) => tabs.map(({ tab }) => tab).join(", ")
  )
  yield* show(
    read,
    { provider: "gdocs", tool: "docs_read", input: { document: planId } },
    Text,
    ({ text, title }) => `"${title}", ${text.length} characters of markdown`
  )

  yield* Console.log("\nA write with a read-write key, then a read of the same range")
  const { data: { updated_range: range } } = yield* show(
    write,
    append,
    Appended,
    ({ updated_range }) => `appended ${updated_range}`
  )
  yield* show(
    read,
    { provider: "gsheets", endpoint: "values.get", input: { path: { spreadsheetId: leadsId, range } } },
    Cells,
    ({ values }) => values.flat().join(", ")
  )

  yield* Console.log("\nThe first call again, from the cache")
  yield* show(
    read,
    { ...topQueries, max_age: 3600 },
    Queries,
    (_, { cached, cost_usd, latency_ms }) => `cached ${cached}, cost_usd ${cost_usd}, ${latency_ms} ms`
  )

  yield* Console.log("\nThe same write with the read-only key")
  const { message } = yield* Effect.flip(read(append))
  yield* print(append, `refused: ${message.replace(/(?<=\.) .*/, "")}`)
  return response
})
