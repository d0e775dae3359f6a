import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { at, connectAll, sandboxServerAt } from "../../Service/SandboxServer.ts"
import { TestDataDir } from "../../support/TestServer.ts"
import { callTool } from "./McpFixture.ts"

type Step = readonly [tool: string, input: object | ((before: unknown) => object)]

const spreadsheet = "sandbox-leads"
const document = "sandbox-plan"
const site = "fernhill.example"
const fernhill = "https://www.fernhill.example/"
const property = "410000011"

const describe = (provider: string, endpoint: string, part?: string): Step => [
  "describe_endpoint",
  { provider, endpoint, ...part === undefined ? {} : { part } }
]
const read = (provider: string, endpoint: string, input: object): Step => [
  "call_read_endpoint",
  { provider, endpoint, input }
]
const update = (requests: ReadonlyArray<object>) => ({
  provider: "gsheets",
  endpoint: "spreadsheets.batchUpdate",
  input: { path: { spreadsheetId: spreadsheet }, body: { requests } }
})

/** Each is a row of the guide, with the calls that it takes. */
const tasks: Readonly<Record<string, ReadonlyArray<Step>>> = {
  "top queries on phones in the last 90 days": [["gsc_top_queries", { site, days: 90, device: "MOBILE" }]],
  "landing pages of the shop's organic traffic": [
    ["ga4_list_properties", { contains: "shop" }],
    ["ga4_traffic_by_page", { property, channel: "Organic Search" }]
  ],
  "users in the last 30 minutes by country": [
    ["ga4_list_properties", { contains: "shop" }],
    describe("ga4", "properties.runRealtimeReport"),
    read("ga4", "properties.runRealtimeReport", {
      path: { property },
      body: { metrics: [{ name: "activeUsers" }], dimensions: [{ name: "country" }] }
    })
  ],
  "sessions by device, October and September": [
    describe("ga4", "properties.runReport"),
    read("ga4", "properties.runReport", {
      path: { property },
      body: {
        metrics: [{ name: "sessions" }],
        dimensions: [{ name: "deviceCategory" }],
        dateRanges: [
          { startDate: "2026-10-01", endDate: "2026-10-31" },
          { startDate: "2026-09-01", endDate: "2026-09-30" }
        ]
      }
    })
  ],
  "crawl problems; submit a page": [
    ["sitesearch_crawl_health", { site, limit: 5 }],
    describe("sitesearch", "SubmitUrl"),
    ["call_write_endpoint", {
      provider: "sitesearch",
      endpoint: "SubmitUrl",
      input: { body: { siteUrl: fernhill, url: `${fernhill}new` } }
    }]
  ],
  "list tabs, read rows, append one": [
    ["sheets_list_tabs", { spreadsheet }],
    ["sheets_read", { spreadsheet, tab: "Leads", limit: 5, omit_empty: true }],
    ["sheets_append_rows", { spreadsheet, tab: "Leads", rows: [{ Email: "ada@fernhill.example" }] }]
  ],
  "add a tab and make its header bold": [
    describe("gsheets", "spreadsheets.batchUpdate"),
    describe("gsheets", "spreadsheets.batchUpdate", "addSheet"),
    describe("gsheets", "spreadsheets.batchUpdate", "repeatCell"),
    ["call_write_endpoint", update([{ addSheet: { properties: { title: "Calls" } } }])],
    ["call_write_endpoint", (added) =>
      update([{
        repeatCell: {
          range: { sheetId: at(added, "data.replies.0.addSheet.properties.sheetId"), startRowIndex: 0, endRowIndex: 1 },
          cell: { userEnteredFormat: { textFormat: { bold: true } } },
          fields: "userEnteredFormat.textFormat.bold"
        }
      }])]
  ],
  "read a document and insert below a heading": [
    ["docs_read", { document }],
    ["docs_insert", { document, heading: "Goals", text: "- Answer within a day" }]
  ],
  "replace a word in a document": [
    ["docs_replace_text", { document, find: "secateurs", replace: "pruners", expected_count: 1 }]
  ],
  "index status of a page": [
    describe("gsc", "urlInspection.index.inspect"),
    read("gsc", "urlInspection.index.inspect", { body: { siteUrl: `sc-domain:${site}`, inspectionUrl: fernhill } })
  ],
  "top queries into a new spreadsheet": [
    ["gsc_top_queries", { site, limit: 5 }],
    ["sheets_create", (report) => ({ title: "Top queries", rows: at(report, "data.rows") })]
  ]
}

const guide = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8")

/** How far the figures of the guide may be off: ids and days of the sandbox differ from run to run. */
const tolerance = 0.1

const World = sandboxServerAt("2026-11-24T12:00:00Z").pipe(Layer.provideMerge(TestDataDir.layer))

layer(World)("The tasks of the guide", (it) => {
  it.effect.each(Object.entries(tasks))("%s", ([goal, steps]) =>
    Effect.gen(function*() {
      const readWrite = yield* connectAll
      let characters = 0
      let answer: unknown
      for (const [tool, input] of steps) {
        const args = typeof input === "function" ? input(answer) : input
        const { isError, text, value } = yield* callTool(readWrite, tool, args)
        assert.isFalse(isError, text)
        characters += JSON.stringify(args).length + text.length
        answer = value
      }
      const row = guide.split("\n").find((line) => line.startsWith(`| ${goal} |`))
      const [calls, figure] = (row ?? "").split("|").slice(2).map((cell) => Number(cell.replace(",", "")))
      assert.strictEqual(calls, steps.length)
      assert.closeTo(figure ?? 0, characters, characters * tolerance + 50)
    }))
})
