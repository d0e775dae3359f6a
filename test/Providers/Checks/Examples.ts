import { cohorts, exact, many, path as property, realtime, report } from "../Ga4/Reports.ts"
import { id as spreadsheet } from "../Gsheets/FakeSpreadsheet.ts"

/** Accepted inputs by operation, for endpoints of Google besides those of the contract. */
export type Inputs = Readonly<Record<string, ReadonlyArray<object>>>

/** Messages of rules that JSON Schema cannot express. Descriptions of fields mention them. */
export const ruleMessages = new RegExp(
  [
    "the (?:property|range) of the path",
    "not (?:before startDate|after endDate|less than min_position)",
    "at most startMinutesAgo",
    "days or start and end",
    "Required with",
    "each dimension once",
    "cannot be grouped together",
    "discover (?:and|or) googleNews",
    "hourly_all",
    "byProperty",
    "byNewsShowcasePanel",
    "under the property",
    "ISO 3166-1",
    "as one regular expression",
    "^Expected exactly one of \"heading\"",
    "^\"none\" takes plain text",
    "^Expected a URL on the site"
  ].join("|")
)

const nested = (depth: number): unknown => depth === 0 ? exact("a") : { notExpression: nested(depth - 1) }
const reportOf = (body: object) => ({ path: property, body: { ...report, ...body } })

const ga4: Inputs = {
  "accountSummaries.list": [{ query: { pageSize: 1 } }, { query: {} }],
  "properties.runReport": [
    reportOf({ dimensions: many(9), metrics: many(10) }),
    reportOf({ property: "properties/123456789" }),
    { path: { property: "properties/0123" }, body: { ...report, property: "" } },
    { path: property, body: { ...cohorts, dateRanges: [] } },
    reportOf({ limit: 1_000_000, offset: "0" }),
    reportOf({ dimensionFilter: nested(50) })
  ],
  "properties.runRealtimeReport": [
    { path: property, body: { ...realtime, minuteRanges: [{ startMinutesAgo: 59, endMinutesAgo: 59 }, {}] } }
  ],
  ga4_list_properties: [{}, { contains: "", limit: 1000, offset: 3 }, { contains: "🚀".repeat(200) }],
  ga4_traffic_by_page: [
    { property: 1 },
    { property: "properties/1", days: 1100, limit: 500, offset: 0, channel: "", page_contains: "/a" },
    { property: "1", start: "2024-02-29", end: "2024-12-31", channel: "a", compare: "previous_period" },
    { property: "1", hostname: "a.example", include_query_string: true, exclude_not_set: true }
  ]
}

const siteUrl = "sc-domain:example.com"
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })
const query = (body: object) => ({
  path: { siteUrl },
  body: { startDate: "2026-08-01", endDate: "2026-08-31", ...body }
})
const ofProperty = [
  { site: siteUrl },
  { site: "example.com", days: 486, limit: 200, offset: 49_000, fresh: true },
  { site: siteUrl, start: "2025-01-31", end: "2025-02-28" },
  { site: siteUrl, days: 7, start: "", end: "" },
  { site: "https://example.com", exclude_terms: ["a", "b"], country: "de", device: "MOBILE", search_type: "news" },
  { site: siteUrl, query_contains: "", page_contains: "🚀".repeat(500), exclude_terms: "a,b", country: "", device: "" }
]

const gsc: Inputs = {
  "sites.list": [{ query: {} }],
  "sites.get": [{ path: { siteUrl: "http://a/b/" } }],
  "searchanalytics.query": [
    query({ startDate: "2024-02-29" }),
    query({ dimensions: ["query", "page", "country", "device", "date"] }),
    query({ dimensions: ["searchAppearance"], rowLimit: 25_000, startRow: 0 }),
    query({ dimensions: ["hour", "query"], dataState: "hourly_all" }),
    query({ type: "discover", dimensions: ["page"], aggregationType: "byPage" }),
    query({
      type: "googleNews",
      aggregationType: "byNewsShowcasePanel",
      ...filtered({ dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" })
    }),
    query(filtered({ dimension: "query", expression: "🚀".repeat(4096) }))
  ],
  "urlInspection.index.inspect": [
    { body: { siteUrl, inspectionUrl: "https://a.b.example.com/x?y#z" } },
    { body: { siteUrl: "sc-domain:bücher.example", inspectionUrl: "https://xn--bcher-kva.example/" } }
  ],
  gsc_top_queries: [...ofProperty, { site: siteUrl, limit: 1000, compare: "PREVIOUS_YEAR" }],
  gsc_quick_wins: [
    ...ofProperty,
    { site: siteUrl, min_position: 4, max_position: 15.5, min_impressions: 1_000_000, include_page: false }
  ]
}

const document = "1fLfF7Mx-Vt_ZZSYJ3ksfEIcH9gEV5Fnat4tPewazyug"
const edits = (...requests: ReadonlyArray<object>) => ({ path: { documentId: "1a-b_C" }, body: { requests } })
const insertText = (location: object) => ({ insertText: { text: "a", location } })

const gdocs: Inputs = {
  "documents.get": [{ path: { documentId: "1a-b_C" }, query: { suggestionsViewMode: "PREVIEW_WITHOUT_SUGGESTIONS" } }],
  "documents.batchUpdate": [
    edits(insertText({ index: 0, segmentId: "kix.h", tabId: "t.1" })),
    {
      path: { documentId: "1a-b_C" },
      body: { requests: [insertText({ index: 1 })], writeControl: { targetRevisionId: "a" } }
    },
    edits({ deleteNamedRange: { name: "a", tabsCriteria: { tabIds: ["t.0"] } } }),
    edits({ createNamedRange: { name: "ü".repeat(256), range: { startIndex: 1, endIndex: 5 } } })
  ],
  docs_read: [
    { document },
    {
      document: `https://docs.google.com/document/d/${document}/edit?tab=t.1`,
      tab: "*",
      max_chars: 1000,
      format: "text",
      suggestions: "MARK"
    },
    { document, tab: "", start_index: 7, max_chars: 200_000, format: "" }
  ],
  docs_create: [{ title: "T" }, { title: "T", text: "# 🚀" }, { title: "T", text: "" }],
  docs_append: [
    { document, text: "x" },
    { document, text: "x", format: "plain", separator: "none", tab: "Main" },
    { document, text: "x", separator: "paragraph" }
  ],
  docs_replace_text: [
    { document, find: "a", replace: "" },
    { document, find: "a", replace: "b", match_case: false, tab: "t.0", expected_count: 2 }
  ],
  docs_insert: [
    { document, text: "x", heading: "A", occurrence: 2, placement: "section_end", format: "markdown" },
    { document, text: "x", index: 1, tab: "t.0", expect_revision: "r" }
  ]
}

const gsheets: Inputs = {
  "spreadsheets.get": [{ path: { spreadsheetId: "1a-b_C" }, query: { ranges: [] } }],
  "values.get": ["Sheet1", "A1:B2", "R1C1:R2C2", "'My Sheet'!A:C", "..."].map((range) => ({
    path: { spreadsheetId: "1a-b_C", range }
  })),
  sheets_read: [
    { spreadsheet },
    { spreadsheet: `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit#gid=0`, tab: 0 },
    { spreadsheet, tab: "Data", range: "B2:C", header_row: 0, limit: 1000, offset: 5, values: "formula" },
    { spreadsheet, tab: "", range: "", include_blank_rows: true }
  ],
  sheets_list_tabs: [{ spreadsheet }, { spreadsheet, include_headers: true }],
  sheets_append_rows: [
    { spreadsheet, rows: [{ a: 1, b: "x", c: null, d: true }] },
    { spreadsheet, rows: [["a", 1, null, false]], tab: 3, header_row: 0, parse: true, allow_formulas: true },
    { spreadsheet, rows: "[]", create_headers: false }
  ],
  sheets_update_range: [
    { spreadsheet, range: "B2", values: [[1, "x", null, true]] },
    { spreadsheet, range: "B2", values: "x", overwrite_formulas: true, expect: [[null]] },
    { spreadsheet, range: "B2", values: 0, tab: "Data" }
  ],
  sheets_create: [
    { title: "T" },
    { title: "T", headers: ["a"], rows: [{ a: 1 }], tab: "x", freeze_header: false },
    { title: "T", rows: [["a"]] }
  ]
}

const site = "https://example.com/"
const ofSite = [
  site,
  "http://example.com",
  "example.com",
  "http://www.bücher.example/größe & mehr/?a=b&c=d+e#f",
  "\"quoted.example\"",
  "100%25.example"
].map((siteUrl) => ({ query: { siteUrl } }))
const texts = [
  "c++ & c# = 100% 🚀",
  "\"exact phrase\" -not",
  "\"",
  "it's (a) *star*!",
  "🚀 日本語 \u202Ertl",
  "a\tb\nc",
  "apikey=x&siteUrl=y"
]
const ofQuery = texts.map((query) => ({ query: { siteUrl: site, query } }))
const ofPage = ["http://example.com/url1.html", "https://example.com/a?b=c&d=\"e\"", "\"https://example.com/\""]

const sitesearch: Inputs = {
  GetUserSites: [{}],
  ...Object.fromEntries(
    "GetQueryStats GetPageStats GetRankAndTrafficStats GetCrawlStats GetCrawlIssues GetFeeds GetUrlSubmissionQuota"
      .split(" ").map((name) => [name, ofSite])
  ),
  GetQueryPageStats: ofQuery,
  GetQueryTrafficStats: ofQuery,
  GetPageQueryStats: ofPage.map((page) => ({ query: { siteUrl: site, page } })),
  GetKeywordStats: [
    { query: { q: "\"python\"" } },
    ...texts.map((q) => ({ query: { q, country: "us", language: "en-US" } }))
  ],
  SubmitUrl: [
    { body: { siteUrl: site, url: "https://example.com/a b?c=\"d\"&e=ü#f" } },
    { body: { siteUrl: "example.com", url: "HTTP://EXAMPLE.COM" } },
    { body: { siteUrl: "\"quoted.example\"", url: "https://bücher.example/a b?c=d" } }
  ],
  SubmitUrlBatch: [
    { body: { siteUrl: site, urlList: ["http://example.com/url1", "http://example.com/url1"] } },
    { body: { siteUrl: site, urlList: Array.from({ length: 500 }, (_, page) => `https://example.com/${page}?q=ü`) } }
  ],
  sitesearch_top_queries: [
    { site: "example.com" },
    { site, days: 7, limit: 1, offset: 0, contains: "" },
    { site, start: "2026-01-01", end: "2026-01-01", compare: "previous_year" },
    { site, days: 180, limit: 500, offset: 500, contains: "brand" }
  ],
  sitesearch_top_pages: [{ site: "example.com" }, { site, contains: "a", path_contains: "/blog/" }],
  sitesearch_crawl_health: [{ site: "example.com" }, { site, days: 1, limit: 500 }, { site, start: "", end: "" }],
  sitesearch_list_sites: [{}, { verified_only: true }]
}

export const inputsOfProviders: Readonly<Record<string, Inputs>> = { ga4, gsc, gdocs, gsheets, sitesearch }
