import { Effect } from "effect"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { providers } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId as document } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId as spreadsheet } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { TestServer } from "../support/TestServer.ts"

type Inputs = Readonly<Record<string, NonNullable<CallRequest["input"]>>>

const site = { site: company.domain }

const tools: Inputs = {
  "gsc gsc_top_queries": site,
  "gsc gsc_quick_wins": site,
  "ga4 ga4_traffic_by_page": { property: "410000011" },
  "ga4 ga4_list_properties": {},
  "sitesearch sitesearch_top_queries": site,
  "sitesearch sitesearch_top_pages": site,
  "sitesearch sitesearch_crawl_health": site,
  "sitesearch sitesearch_list_sites": {},
  "gsheets sheets_read": { spreadsheet },
  "gsheets sheets_list_tabs": { spreadsheet },
  "gsheets sheets_append_rows": { spreadsheet, rows: [{ Name: "Wren Okoro", Email: "wren@example.com" }] },
  "gsheets sheets_update_range": { spreadsheet, range: "Empty!A4:B4", values: [["Fork", 3]] },
  "gsheets sheets_create": { title: "Orders", headers: ["Order", "Total"] },
  "gdocs docs_read": { document },
  "gdocs docs_create": { title: "Agenda", text: "# Topics\n\n- Spring" },
  "gdocs docs_append": { document, text: "## Later\n\nAppended." },
  "gdocs docs_replace_text": { document, find: "Photography", replace: "Photographs" },
  "gdocs docs_insert": { document, heading: "Goals", text: "Inserted." }
}

/** A valid input of each operation. Those of endpoints are the examples that agents get with the schema. */
export const inputs: Inputs = {
  ...Object.fromEntries(providers.flatMap(({ endpoints, examples, id: provider }) =>
    endpoints.flatMap(({ id }) => {
      const example = examples?.[id]
      return example === undefined ? [] : [[`${provider} ${id}`, { ...example }]]
    })
  )),
  ...tools
}

export type Call = CallRequest

export const nameOf = ({ endpoint = "", tool = endpoint }: Call): string => tool

const withInput = (call: Call): Call => {
  const input = inputs[`${call.provider} ${nameOf(call)}`]
  return input === undefined ? call : { ...call, input }
}

const all = providers.flatMap(({ endpoints, id: provider, tools }) => [
  ...endpoints.map(({ id, writes }) => ({ call: withInput({ provider, endpoint: id }), writes })),
  ...tools.map(({ name, writes }) => ({ call: withInput({ provider, tool: name }), writes }))
])

/** A valid call of every operation that reads. */
export const reads: ReadonlyArray<Call> = all.flatMap(({ call, writes }) => writes ? [] : [call])

export const writes: ReadonlyArray<Call> = all.flatMap(({ call, writes }) => writes ? [call] : [])

/** Every operation as the service tells it to a caller, with a valid call. */
export const listOperations = Effect.fnUntraced(function*(key: string) {
  const reader = (yield* TestServer).api(key)
  const { providers } = yield* reader.providers.list()
  const details = yield* Effect.forEach(providers, ({ id }) => reader.providers.get({ params: { id } }))
  return details.flatMap(({ endpoints, id: provider, tools }) => [
    ...endpoints.map((endpoint) => ({
      ...endpoint,
      name: `${provider} ${endpoint.id}`,
      call: withInput({ provider, endpoint: endpoint.id }),
      tool: undefined
    })),
    ...tools.map((tool) => ({
      ...tool,
      name: `${provider} ${tool.name}`,
      call: withInput({ provider, tool: tool.name }),
      tool
    }))
  ])
})
