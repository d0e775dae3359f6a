import type { Examples } from "../Checks/Examples.ts"

const path = { siteUrl: "sc-domain:example.com" }
const days = { startDate: "2026-08-01", endDate: "2026-08-31" }
const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })
const report = (body: object) => ({ path, body: { ...days, ...body } })
const site = path.siteUrl

const tools = [
  { site },
  { site: "example.com", days: 486, limit: 200, offset: 49_000, fresh: true },
  { site, start: "2025-01-31", end: "2025-02-28" },
  { site, days: 7, start: "", end: "" },
  { site: "https://example.com", exclude_terms: ["a", "b"], country: "de", device: "MOBILE", search_type: "news" },
  { site, query_contains: "", page_contains: "🚀".repeat(500), exclude_terms: "a,b", country: "", device: "" }
]

export const gscExamples: Examples = {
  rules: new RegExp(
    [
      "not after endDate",
      "each dimension once",
      "cannot be grouped together",
      "discover (?:and|or) googleNews",
      "hourly_all",
      "byProperty",
      "byNewsShowcasePanel",
      "under the property",
      "ISO 3166-1",
      "as one regular expression",
      "not less than min_position",
      "days or start and end",
      "Required with"
    ].join("|")
  ),
  inputs: {
    "sites.list": [{ query: {} }],
    "sites.get": [{ path: { siteUrl: "http://a/b/" } }],
    "searchanalytics.query": [
      report({ startDate: "2024-02-29" }),
      report({ dimensions: ["query", "page", "country", "device", "date"] }),
      report({ dimensions: ["searchAppearance"], rowLimit: 25_000, startRow: 0 }),
      report({ dimensions: ["hour", "query"], dataState: "hourly_all" }),
      report({ type: "discover", dimensions: ["page"], aggregationType: "byPage" }),
      report({ type: "googleNews", aggregationType: "byNewsShowcasePanel", ...filtered(showcase) }),
      report(filtered({ dimension: "query", expression: "🚀".repeat(4096) }))
    ],
    "urlInspection.index.inspect": [
      { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://a.b.example.com/x?y#z" } },
      { body: { siteUrl: "sc-domain:bücher.example", inspectionUrl: "https://xn--bcher-kva.example/" } }
    ],
    gsc_top_queries: [...tools, { site, limit: 1000, compare: "PREVIOUS_YEAR" }],
    gsc_quick_wins: [
      ...tools,
      { site, min_position: 4, max_position: 15.5, min_impressions: 1_000_000, include_page: false }
    ]
  }
}
