import { type CallRequest, type GsheetsRequest, send, title } from "./Client.js"

const call = async (body: CallRequest) => {
  const { cached, connection_id, data } = await send(body)
  process.stdout.write(`${JSON.stringify({ cached, connection: connection_id, data })}\n`)
}

await call({
  provider: "gsc",
  tool: "gsc_top_queries",
  input: { site: "fernhill.example", days: 28, device: "mobile" }
})
await call({
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: "410000011" },
    body: { dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }], metrics: [{ name: "sessions" }] }
  },
  max_age: 60
})
await call({ provider: "sitesearch", endpoint: "GetUserSites" })
await call({
  provider: "gsheets",
  endpoint: "spreadsheets.batchUpdate",
  input: { path: { spreadsheetId: "sandbox-leads" }, body: { requests: [{ addSheet: { properties: { title } } }] } }
})
await call({ provider: "gdocs", tool: "docs_read", input: { document: "sandbox-plan", format: "text" } })

/** Compiles only if each of these is an error. */
export const wrong: ReadonlyArray<CallRequest> = [
  // @ts-expect-error An unknown provider
  { provider: "gmail", tool: "gsc_top_queries", input: { site: "fernhill.example" } },
  // @ts-expect-error A tool of another provider
  { provider: "ga4", tool: "gsc_top_queries", input: { site: "fernhill.example" } },
  // @ts-expect-error Neither a raw endpoint nor a tool
  { provider: "gsc", input: { site: "fernhill.example" } },
  // @ts-expect-error A tool as a raw endpoint
  { provider: "gdocs", endpoint: "docs_read", input: { document: "sandbox-plan" } },
  // @ts-expect-error No input
  { provider: "gsc", tool: "gsc_top_queries" },
  // @ts-expect-error A missing field
  { provider: "gsc", tool: "gsc_top_queries", input: { days: 28 } },
  // @ts-expect-error An unknown field
  { provider: "gsc", tool: "gsc_top_queries", input: { site: "fernhill.example", day: 28 } },
  // @ts-expect-error A wrong type
  { provider: "gsc", tool: "gsc_top_queries", input: { site: "fernhill.example", days: "28" } },
  // @ts-expect-error A value that is not in the list
  { provider: "gsc", tool: "gsc_top_queries", input: { site: "fernhill.example", device: "watch" } }
]

// @ts-expect-error A request that the provider does not have
export const wrongRequest: GsheetsRequest = { addChapter: {} }
