import type { Call } from "./EveryOperation.ts"

interface Task {
  readonly goal: string
  readonly call: Call
  /** For example `rows.0.query`. */
  readonly has: string
}

const shop = "https://www.fernhill.example/"
const spreadsheet = "sandbox-leads"
const document = "sandbox-plan"

export const tasks: ReadonlyArray<Task> = [
  {
    goal: "the top queries of the last 30 days",
    call: { provider: "gsc", tool: "gsc_top_queries", input: { site: "fernhill.example", days: 30, limit: 10 } },
    has: "rows.9.query"
  },
  {
    goal: "queries just off page one, with their pages",
    call: { provider: "gsc", tool: "gsc_quick_wins", input: { site: "fernhill.example", limit: 3 } },
    has: "rows.2.page"
  },
  {
    goal: "the id of the shop's property",
    call: { provider: "ga4", tool: "ga4_list_properties", input: { contains: "shop" } },
    has: "properties.0.property_id"
  },
  {
    goal: "landing pages of organic search",
    call: { provider: "ga4", tool: "ga4_traffic_by_page", input: { property: "410000011", channel: "Organic Search" } },
    has: "rows.0.engagement_rate"
  },
  {
    goal: "users of the last 30 minutes by country",
    call: {
      provider: "ga4",
      endpoint: "properties.runRealtimeReport",
      input: {
        path: { property: "410000011" },
        body: { metrics: [{ name: "activeUsers" }], dimensions: [{ name: "country" }] }
      }
    },
    has: "rows.0.metricValues.0.value"
  },
  {
    goal: "URLs with crawl issues",
    call: { provider: "sitesearch", tool: "sitesearch_crawl_health", input: { site: "fernhill.example", limit: 5 } },
    has: "issues.0.url"
  },
  {
    goal: "submit a new URL",
    call: { provider: "sitesearch", endpoint: "SubmitUrl", input: { body: { siteUrl: shop, url: `${shop}new` } } },
    has: "d"
  },
  {
    goal: "read a tab",
    call: { provider: "gsheets", tool: "sheets_read", input: { spreadsheet, tab: "Leads", omit_empty: true } },
    has: "rows.0.Email"
  },
  {
    goal: "append rows",
    call: {
      provider: "gsheets",
      tool: "sheets_append_rows",
      input: { spreadsheet, tab: "Leads", rows: [{ Name: "Wren", Email_2: "wren@example.com" }, { Name: "Kit" }] }
    },
    has: "first_row"
  },
  {
    goal: "write a range",
    call: {
      provider: "gsheets",
      tool: "sheets_update_range",
      input: { spreadsheet, tab: "Empty", range: "A1:B2", values: [["Tool", "Count"], ["Fork", 3]] }
    },
    has: "updated_range"
  },
  {
    goal: "create a document from markdown",
    call: { provider: "gdocs", tool: "docs_create", input: { title: "Agenda", text: "# Topics\n\n- **Spring**" } },
    has: "url"
  },
  {
    goal: "replace a word",
    call: { provider: "gdocs", tool: "docs_replace_text", input: { document, find: "Photography", replace: "Photos" } },
    has: "occurrences"
  },
  {
    goal: "insert text at the end of a section",
    call: {
      provider: "gdocs",
      tool: "docs_insert",
      input: { document, heading: "Goals", text: "Inserted.", placement: "section_end" }
    },
    has: "startIndex"
  }
]
