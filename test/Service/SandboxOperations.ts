import { assert } from "@effect/vitest"
import { Record } from "effect"
import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { providers } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"

export interface Row {
  readonly input: NonNullable<CallRequest["input"]>
  readonly has: string
}

const property = "410000011"
const spreadsheetId = leadsId
const documentId = planId
const values = [["Fork", 3]]
const site = { site: company.domain }

/** What the response to the example of each endpoint has. */
const endpoints: Readonly<Record<string, string>> = {
  "gsc sites.list": "siteEntry.0.siteUrl",
  "gsc sites.get": "permissionLevel",
  "gsc searchanalytics.query": "rows.0.clicks",
  "gsc sitemaps.list": "sitemap.0.path",
  "gsc sitemaps.get": "lastSubmitted",
  "gsc urlInspection.index.inspect": "inspectionResult.indexStatusResult.verdict",
  "ga4 accountSummaries.list": "accountSummaries.1.propertySummaries.0.property",
  "ga4 properties.runReport": "rows.27.metricValues.0.value",
  "ga4 properties.runRealtimeReport": "rows.0.metricValues.0.value",
  "ga4 properties.getMetadata": "dimensions.0.apiName",
  "sitesearch GetUserSites": "d.0.Url",
  "sitesearch GetQueryStats": "d.0.Query",
  "sitesearch GetPageStats": "d.0.Query",
  "sitesearch GetRankAndTrafficStats": "d.0.Clicks",
  "sitesearch GetQueryPageStats": "d.0.Query",
  "sitesearch GetPageQueryStats": "d.0.Query",
  "sitesearch GetQueryTrafficStats": "d.0.Impressions",
  "sitesearch GetCrawlStats": "d.0.InIndex",
  "sitesearch GetCrawlIssues": "d.0.Issues",
  "sitesearch GetFeeds": "d.0.Url",
  "sitesearch GetUrlSubmissionQuota": "d.DailyQuota",
  "sitesearch GetKeywordStats": "d.0.Query",
  "sitesearch SubmitUrl": "d",
  "sitesearch SubmitUrlBatch": "d",
  "gsheets spreadsheets.get": "sheets.3.properties.title",
  "gsheets values.get": "values.8.0",
  "gsheets values.batchGet": "valueRanges.1.values.0.0",
  "gsheets values.update": "updatedCells",
  "gsheets values.append": "updates.updatedRange",
  "gsheets values.batchUpdate": "totalUpdatedCells",
  "gsheets values.clear": "clearedRange",
  "gsheets spreadsheets.create": "spreadsheetUrl",
  "gsheets spreadsheets.batchUpdate": "replies.0.addSheet.properties.sheetId",
  "gdocs documents.get": "body.content.0",
  "gdocs documents.create": "documentId",
  "gdocs documents.batchUpdate": "writeControl.requiredRevisionId"
}

/** The input that agents get with the endpoint's schema. */
const example = (name: string): Row["input"] => {
  const [provider, endpoint = ""] = name.split(" ")
  return {
    ...providers.find(({ id }) => id === provider)?.examples?.[endpoint] ?? assert.fail(`${name} has no example`)
  }
}

const tools: Readonly<Record<string, Row>> = {
  "gsc gsc_top_queries": { input: site, has: "rows.0.query" },
  "gsc gsc_quick_wins": { input: site, has: "rows.0.potential_clicks" },
  "ga4 ga4_traffic_by_page": { input: { property }, has: "rows.0.sessions" },
  "ga4 ga4_list_properties": { input: {}, has: "properties.2.property_id" },
  "sitesearch sitesearch_top_queries": { input: site, has: "rows.0.query" },
  "sitesearch sitesearch_top_pages": { input: site, has: "rows.0.page" },
  "sitesearch sitesearch_crawl_health": { input: site, has: "issues.0.url" },
  "sitesearch sitesearch_list_sites": { input: {}, has: "sites.0.url" },
  "gsheets sheets_read": { input: { spreadsheet: spreadsheetId }, has: "rows.0.Email_2" },
  "gsheets sheets_list_tabs": { input: { spreadsheet: spreadsheetId }, has: "tabs.4.tab" },
  "gsheets sheets_append_rows": {
    input: { spreadsheet: spreadsheetId, rows: [{ Name: "Wren Okoro", Email: "wren@example.com" }] },
    has: "updated_range"
  },
  "gsheets sheets_update_range": {
    input: { spreadsheet: spreadsheetId, range: "Empty!A4:B4", values },
    has: "updated_range"
  },
  "gsheets sheets_create": { input: { title: "Orders", headers: ["Order", "Total"] }, has: "url" },
  "gdocs docs_read": { input: { document: documentId }, has: "text" },
  "gdocs docs_create": { input: { title: "Agenda", text: "# Topics\n\n- Spring" }, has: "url" },
  "gdocs docs_append": { input: { document: documentId, text: "## Later\n\nAppended." }, has: "documentId" },
  "gdocs docs_replace_text": {
    input: { document: documentId, find: "Photography", replace: "Photographs" },
    has: "documentId"
  },
  "gdocs docs_insert": { input: { document: documentId, heading: "Goals", text: "Inserted." }, has: "documentId" }
}

export const operations: Readonly<Record<string, Row>> = {
  ...Record.map(endpoints, (has, name) => ({ input: example(name), has })),
  ...tools
}
