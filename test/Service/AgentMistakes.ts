interface Mistake {
  readonly wrong: object
  readonly code: string
  /** Parts of the message and the details that a reader needs to write `right`. */
  readonly facts: ReadonlyArray<string>
  readonly right: object
}

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

export const mistakes: Readonly<Record<string, Mistake>> = {
  "a wrong provider": {
    wrong: { ...leads, provider: "sheets" },
    code: "provider_not_found",
    facts: ["gsheets"],
    right: leads
  },
  "a shortened tool": {
    wrong: { ...queries, tool: "top_queries" },
    code: "tool_not_found",
    facts: ["gsc_top_queries"],
    right: queries
  },
  "a tool of another provider": {
    wrong: { ...leads, provider: "gsc" },
    code: "tool_not_found",
    facts: ["\"gsheets\" has it"],
    right: leads
  },
  "an endpoint in other letters": {
    wrong: { ...analytics(week), endpoint: "searchAnalytics.query" },
    code: "endpoint_not_found",
    facts: ["searchanalytics.query"],
    right: analytics(week)
  },
  "an endpoint sent as a tool": {
    wrong: { provider: "ga4", tool: "properties.runRealtimeReport", input: activeUsers.input },
    code: "tool_not_found",
    facts: ["pass it as `endpoint`"],
    right: activeUsers
  },
  "a tool sent as an endpoint": {
    wrong: { provider: "gsc", endpoint: "gsc_top_queries", input: queries.input },
    code: "endpoint_not_found",
    facts: ["pass it as `tool`"],
    right: queries
  },
  "a tool and an endpoint": {
    wrong: { ...queries, endpoint: "sites.list" },
    code: "invalid_input",
    facts: ["exactly one of `endpoint` and `tool`"],
    right: queries
  },
  "input outside `input`": {
    wrong: { provider: "gsc", tool: "gsc_top_queries", site: domain },
    code: "invalid_input",
    facts: ["\"path\":[\"site\"]", "belong in `input`"],
    right: queries
  },
  "a field of the call inside `input`": {
    wrong: topQueries({ site: domain, max_age: 60 }),
    code: "invalid_input",
    facts: ["[\"input\",\"max_age\"]", "belongs beside `input`"],
    right: { ...queries, max_age: 60 }
  },
  "a field of the body one level up": {
    wrong: { ...analytics(week), input: { path: { siteUrl: domain }, startDate: week.startDate, body: week } },
    code: "invalid_input",
    facts: ["[\"input\",\"startDate\"]", "belongs in `body`"],
    right: analytics(week)
  },
  "a property by its name": {
    wrong: traffic("Shop"),
    code: "invalid_input",
    facts: ["ga4_list_properties finds the id by name"],
    right: traffic("410000011")
  },
  "input as text": {
    wrong: topQueries(JSON.stringify(queries.input)),
    code: "invalid_input",
    facts: ["\"path\":[\"input\"]", "Expected object"],
    right: queries
  },
  "a misspelled field": {
    wrong: topQueries({ sites: domain }),
    code: "invalid_input",
    facts: ["[\"input\",\"sites\"]", "Unknown field", "[\"input\",\"site\"]", "Required"],
    right: queries
  },
  "a number as text": {
    wrong: topQueries({ site: domain, days: "28" }),
    code: "invalid_input",
    facts: ["[\"input\",\"days\"]", "Expected number"],
    right: topQueries({ site: domain, days: 28 })
  },
  "a number out of bounds": {
    wrong: topQueries({ site: domain, limit: 5000 }),
    code: "invalid_input",
    facts: ["[\"input\",\"limit\"]", "between 1 and 1000"],
    right: topQueries({ site: domain, limit: 1000 })
  },
  "a device by another name": {
    wrong: topQueries({ site: domain, device: "phone" }),
    code: "invalid_input",
    facts: ["desktop, mobile, tablet"],
    right: topQueries({ site: domain, device: "mobile" })
  },
  "a host that the account does not have": {
    wrong: topQueries({ site: "fernhill.com" }),
    code: "invalid_input",
    facts: [domain],
    right: queries
  },
  "the URL of a page as a property": {
    wrong: topQueries({ site: `${shop}products/dibber` }),
    code: "upstream_error",
    facts: ["`sites.list` lists the properties"],
    right: { provider: "gsc", endpoint: "sites.list" }
  },
  "a date in another order": {
    wrong: analytics({ ...week, startDate: "01/11/2026" }),
    code: "invalid_input",
    facts: ["startDate", "YYYY-MM-DD"],
    right: analytics(week)
  },
  "an end before the start": {
    wrong: analytics({ startDate: week.endDate, endDate: week.startDate }),
    code: "invalid_input",
    facts: ["startDate", "not after endDate"],
    right: analytics(week)
  },
  "an input without `path` and `body`": {
    wrong: { ...analytics(week), input: { siteUrl: domain, ...week } },
    code: "invalid_input",
    facts: ["[\"input\",\"path\"]", "[\"input\",\"body\"]", "GET /v1/providers/gsc/endpoints/searchanalytics.query"],
    right: analytics(week)
  },
  "a measurement id as a property": {
    wrong: traffic("G-ABC123"),
    code: "invalid_input",
    facts: ["ga4_list_properties"],
    right: traffic("410000011")
  },
  "an unknown property": {
    wrong: traffic("123456789"),
    code: "upstream_error",
    facts: ["`ga4_list_properties`"],
    right: { provider: "ga4", tool: "ga4_list_properties" }
  },
  "an unknown metric": {
    wrong: report("visits"),
    code: "upstream_error",
    facts: ["visits", "`properties.getMetadata`"],
    right: { provider: "ga4", endpoint: "properties.getMetadata", input: { path: { property: "410000011" } } }
  },
  "a day in words": {
    wrong: report("sessions", "last week"),
    code: "invalid_input",
    facts: ["[\"input\",\"body\",\"dateRanges\",0,\"startDate\"]", "NdaysAgo"],
    right: report("sessions")
  },
  "texts instead of metrics": {
    wrong: realtime({ body: { metrics: ["activeUsers"] } }),
    code: "invalid_input",
    facts: ["\"metrics\",0]", "Expected object", "GET /v1/providers/ga4/endpoints/properties.runRealtimeReport"],
    right: activeUsers
  },
  "a site of another account": {
    wrong: sitesearch("sitesearch_top_queries", { site: "fernhill.com" }),
    code: "invalid_input",
    facts: [shop],
    right: sitesearch("sitesearch_top_queries", { site: shop })
  },
  "an unverified site": {
    wrong: sitesearch("sitesearch_crawl_health", { site: "old.fernhill.example" }),
    code: "upstream_error",
    facts: ["not verified"],
    right: sitesearch("sitesearch_list_sites", { verified_only: true })
  },
  "a bare host as a site": {
    wrong: submitOne("www.fernhill.example"),
    code: "upstream_error",
    facts: ["InvalidUrl", "`GetUserSites`"],
    right: submitOne(shop)
  },
  "a path instead of a URL": {
    wrong: submit({ body: { siteUrl: shop, urlList: ["/a"] } }),
    code: "invalid_input",
    facts: ["\"urlList\",0]", "absolute http(s) URL"],
    right: submit(listed)
  },
  "a URL of another site": {
    wrong: submit({ body: { siteUrl: shop, urlList: [`${shop}a`, "https://elsewhere.example/b"] } }),
    code: "invalid_input",
    facts: ["\"urlList\",1]", shop],
    right: submit(listed)
  },
  "a body in the query": {
    wrong: submit({ query: listed.body }),
    code: "invalid_input",
    facts: ["[\"input\",\"body\"]", "Required"],
    right: submit(listed)
  },
  "an unknown spreadsheet": {
    wrong: sheets("sheets_read", { spreadsheet: "sandbox-lead" }),
    code: "upstream_error",
    facts: ["`/d/`", "must be able to open it"],
    right: leads
  },
  "an unknown tab": {
    wrong: sheets("sheets_read", { tab: "Lead" }),
    code: "invalid_input",
    facts: ["\\\"Leads\\\""],
    right: leads
  },
  "an unknown tab in a range": {
    wrong: {
      provider: "gsheets",
      endpoint: "values.get",
      input: { path: { spreadsheetId: spreadsheet, range: "Lead!A1" } }
    },
    code: "upstream_error",
    facts: ["Lead!A1", "`sheets_list_tabs`"],
    right: sheets("sheets_list_tabs", {})
  },
  "a range that is none": {
    wrong: sheets("sheets_read", { range: "A1-B2" }),
    code: "invalid_input",
    facts: ["B2:C10"],
    right: sheets("sheets_read", { range: "A1:B2" })
  },
  "an unknown column": {
    wrong: sheets("sheets_append_rows", { rows: [{ "Second email": "a@example.com" }] }),
    code: "invalid_input",
    facts: ["[\"input\",\"rows\",0,\"Second email\"]", "Email_2"],
    right: appended
  },
  "values of another size than the range": {
    wrong: sheets("sheets_update_range", { range: "Empty!A1:B2", values: [["a"]] }),
    code: "invalid_input",
    facts: ["1 rows by 1 columns", "2 rows by 2 columns"],
    right: sheets("sheets_update_range", { range: "Empty!A1", values: [["a"]] })
  },
  "the address of a spreadsheet as a document": {
    wrong: docs("docs_read", { document: "https://docs.google.com/spreadsheets/d/sandbox-leads/edit" }),
    code: "invalid_input",
    facts: ["https://docs.google.com/document/d/<id>/edit"],
    right: docs("docs_read", {})
  },
  "a heading that is not there": {
    wrong: docs("docs_insert", { heading: "Goal", text: "x" }),
    code: "invalid_input",
    facts: ["\\\"Goals\\\""],
    right: inserted
  },
  "no place to insert at": {
    wrong: docs("docs_insert", { text: "x" }),
    code: "invalid_input",
    facts: ["exactly one of", "heading", "index"],
    right: inserted
  },
  "an index behind the end": {
    wrong: docs("docs_insert", { index: 999_999, text: "x" }),
    code: "invalid_input",
    facts: ["between 1 and"],
    right: docs("docs_insert", { index: 1, text: "x" })
  },
  "another name for the text of a document": {
    wrong: { provider: "gdocs", tool: "docs_create", input: { title: "Agenda", content: "# A" } },
    code: "invalid_input",
    facts: ["[\"input\",\"content\"]", "Unknown field", "GET /v1/providers/gdocs/tools/docs_create"],
    right: { provider: "gdocs", tool: "docs_create", input: { title: "Agenda", text: "# A" } }
  },
  "a duration as `max_age`": {
    wrong: { ...queries, max_age: "1h" },
    code: "invalid_input",
    facts: ["[\"max_age\"]", "Expected number"],
    right: { ...queries, max_age: 3600 }
  }
}
