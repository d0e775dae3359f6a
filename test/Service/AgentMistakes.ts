/** `facts` are parts of the message and the details that a reader needs to write `right`. */
type Mistake = readonly [name: string, code: string, wrong: object, facts: ReadonlyArray<string>, right: object]

const shop = "https://www.fernhill.example/"
const domain = "sc-domain:fernhill.example"
const spreadsheet = "sandbox-leads"
const document = "sandbox-plan"

const topQueries = (input: unknown) => ({ provider: "gsc", tool: "gsc_top_queries", input })
const analytics = (body: object, path: object = { siteUrl: domain }) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path, body }
})
const week = { startDate: "2026-11-01", endDate: "2026-11-07" }
const traffic = (property: unknown) => ({ provider: "ga4", tool: "ga4_traffic_by_page", input: { property } })
const report = (metric: string, startDate = "7daysAgo") => ({
  provider: "ga4",
  endpoint: "properties.runReport",
  input: {
    path: { property: "410000011" },
    body: { dateRanges: [{ startDate, endDate: "yesterday" }], metrics: [{ name: metric }] }
  }
})
const realtime = (input: object) => ({ provider: "ga4", endpoint: "properties.runRealtimeReport", input })
const sitesearch = (tool: string, input: object) => ({ provider: "sitesearch", tool, input })
const submitOne = (siteUrl: string) => ({
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl, url: `${shop}a` } }
})
const submit = (input: object) => ({ provider: "sitesearch", endpoint: "SubmitUrlBatch", input })
const sheets = (tool: string, input: object) => ({ provider: "gsheets", tool, input: { spreadsheet, ...input } })
const docs = (tool: string, input: object) => ({ provider: "gdocs", tool, input: { document, ...input } })

const queries = topQueries({ site: domain })
const metrics = [{ name: "activeUsers" }]
const activeUsers = realtime({ path: { property: "410000011" }, body: { metrics } })
const listed = { body: { siteUrl: shop, urlList: [`${shop}a`] } }
const leads = sheets("sheets_read", { tab: "Leads" })
const appended = sheets("sheets_append_rows", { rows: [{ Email_2: "a@example.com" }] })
const inserted = docs("docs_insert", { heading: "Goals", text: "x" })

export const mistakes: ReadonlyArray<Mistake> = [
  ["a wrong provider", "provider_not_found", { ...leads, provider: "sheets" }, ["gsheets"], leads],
  ["a shortened tool", "tool_not_found", { ...queries, tool: "top_queries" }, ["gsc_top_queries"], queries],
  ["a tool of another provider", "tool_not_found", { ...leads, provider: "gsc" }, ["\"gsheets\" has it"], leads],
  ["an endpoint in other letters", "endpoint_not_found", { ...analytics(week), endpoint: "searchAnalytics.query" }, [
    "searchanalytics.query"
  ], analytics(week)],
  [
    "an endpoint sent as a tool",
    "tool_not_found",
    { provider: "ga4", tool: "properties.runRealtimeReport", input: activeUsers.input },
    ["pass it as `endpoint`"],
    activeUsers
  ],
  ["a tool and an endpoint", "invalid_input", { ...queries, endpoint: "sites.list" }, [
    "exactly one of `endpoint` and `tool`"
  ], queries],
  ["input outside `input`", "invalid_input", { provider: "gsc", tool: "gsc_top_queries", site: domain }, [
    "\"path\":[\"site\"]",
    "belong in `input`"
  ], queries],
  ["a field of the call inside `input`", "invalid_input", topQueries({ site: domain, max_age: 60 }), [
    "[\"input\",\"max_age\"]",
    "belongs beside `input`"
  ], { ...queries, max_age: 60 }],
  [
    "a property by its name",
    "invalid_input",
    traffic("Shop"),
    ["ga4_list_properties finds the id by name"],
    traffic("410000011")
  ],
  ["a misspelled field", "invalid_input", topQueries({ sites: domain }), [
    "[\"input\",\"sites\"]",
    "Unknown field",
    "[\"input\",\"site\"]",
    "Required"
  ], queries],
  ["a device by another name", "invalid_input", topQueries({ site: domain, device: "phone" }), [
    "desktop, mobile, tablet"
  ], topQueries({ site: domain, device: "mobile" })],
  ["a host that the account does not have", "invalid_input", topQueries({ site: "fernhill.com" }), [domain], queries],
  ["the URL of a page as a property", "upstream_error", topQueries({ site: `${shop}products/dibber` }), [
    "`sites.list` lists the properties"
  ], { provider: "gsc", endpoint: "sites.list" }],
  ["an input without `path` and `body`", "invalid_input", { ...analytics(week), input: { siteUrl: domain, ...week } }, [
    "[\"input\",\"path\"]",
    "[\"input\",\"body\"]",
    "GET /v1/providers/gsc/endpoints/searchanalytics.query"
  ], analytics(week)],
  ["an unknown property", "upstream_error", traffic("123456789"), ["`ga4_list_properties`"], {
    provider: "ga4",
    tool: "ga4_list_properties"
  }],
  ["an unknown metric", "upstream_error", report("visits"), ["visits", "`properties.getMetadata`"], {
    provider: "ga4",
    endpoint: "properties.getMetadata",
    input: { path: { property: "410000011" } }
  }],
  ["a day in words", "invalid_input", report("sessions", "last week"), [
    "[\"input\",\"body\",\"dateRanges\",0,\"startDate\"]",
    "NdaysAgo"
  ], report("sessions")],
  ["an unverified site", "upstream_error", sitesearch("sitesearch_crawl_health", { site: "old.fernhill.example" }), [
    "not verified"
  ], sitesearch("sitesearch_list_sites", { verified_only: true })],
  [
    "a bare host as a site",
    "upstream_error",
    submitOne("www.fernhill.example"),
    ["InvalidUrl", "`GetUserSites`"],
    submitOne(shop)
  ],
  [
    "a URL of another site",
    "invalid_input",
    submit({ body: { siteUrl: shop, urlList: [`${shop}a`, "https://elsewhere.example/b"] } }),
    ["\"urlList\",1]", shop],
    submit(listed)
  ],
  ["an unknown spreadsheet", "upstream_error", sheets("sheets_read", { spreadsheet: "sandbox-lead" }), [
    "`/d/`",
    "must be able to open it"
  ], leads],
  ["an unknown tab", "invalid_input", sheets("sheets_read", { tab: "Lead" }), ["\\\"Leads\\\""], leads],
  [
    "an unknown tab in a range",
    "upstream_error",
    { provider: "gsheets", endpoint: "values.get", input: { path: { spreadsheetId: spreadsheet, range: "Lead!A1" } } },
    ["Lead!A1", "`sheets_list_tabs`"],
    sheets("sheets_list_tabs", {})
  ],
  [
    "a range that is none",
    "invalid_input",
    sheets("sheets_read", { range: "A1-B2" }),
    ["B2:C10"],
    sheets("sheets_read", { range: "A1:B2" })
  ],
  [
    "an unknown column",
    "invalid_input",
    sheets("sheets_append_rows", { rows: [{ "Second email": "a@example.com" }] }),
    ["[\"input\",\"rows\",0,\"Second email\"]", "Email_2"],
    appended
  ],
  ["a heading that is not there", "invalid_input", docs("docs_insert", { heading: "Goal", text: "x" }), [
    "\\\"Goals\\\""
  ], inserted]
]
