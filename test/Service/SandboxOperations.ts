import { assert } from "@effect/vitest"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { providers } from "../../src/Server.ts"
import type { Call } from "./EveryOperation.ts"

export interface Row {
  readonly input: NonNullable<Call["input"]>
  readonly has: string
}

const property = "410000011"
const spreadsheetId = leadsId
const documentId = planId
const values = [["Fork", 3]]
const site = { site: company.domain }

/** The input that agents get with the endpoint's schema. */
const example = (providerId: string, endpoint: string): Row["input"] => ({
  ...providers.find(({ id }) => id === providerId)?.examples?.[endpoint] ?? assert.fail(`${endpoint} has no example`)
})

export const operations: Readonly<Record<string, Row>> = {
  "gsc sites.list": { input: example("gsc", "sites.list"), has: "siteEntry.0.siteUrl" },
  "gsc sites.get": { input: example("gsc", "sites.get"), has: "permissionLevel" },
  "gsc searchanalytics.query": { input: example("gsc", "searchanalytics.query"), has: "rows.0.clicks" },
  "gsc sitemaps.list": { input: example("gsc", "sitemaps.list"), has: "sitemap.0.path" },
  "gsc sitemaps.get": { input: example("gsc", "sitemaps.get"), has: "lastSubmitted" },
  "gsc urlInspection.index.inspect": {
    input: example("gsc", "urlInspection.index.inspect"),
    has: "inspectionResult.indexStatusResult.verdict"
  },
  "gsc gsc_top_queries": { input: site, has: "rows.0.query" },
  "gsc gsc_quick_wins": { input: site, has: "rows.0.potential_clicks" },

  "ga4 accountSummaries.list": {
    input: example("ga4", "accountSummaries.list"),
    has: "accountSummaries.1.propertySummaries.0.property"
  },
  "ga4 properties.runReport": { input: example("ga4", "properties.runReport"), has: "rows.27.metricValues.0.value" },
  "ga4 properties.runRealtimeReport": {
    input: example("ga4", "properties.runRealtimeReport"),
    has: "rows.0.metricValues.0.value"
  },
  "ga4 properties.getMetadata": { input: example("ga4", "properties.getMetadata"), has: "dimensions.0.apiName" },
  "ga4 ga4_traffic_by_page": { input: { property }, has: "rows.0.sessions" },
  "ga4 ga4_list_properties": { input: {}, has: "properties.2.property_id" },

  "sitesearch GetUserSites": { input: example("sitesearch", "GetUserSites"), has: "d.0.Url" },
  "sitesearch GetQueryStats": { input: example("sitesearch", "GetQueryStats"), has: "d.0.Query" },
  "sitesearch GetPageStats": { input: example("sitesearch", "GetPageStats"), has: "d.0.Query" },
  "sitesearch GetRankAndTrafficStats": { input: example("sitesearch", "GetRankAndTrafficStats"), has: "d.0.Clicks" },
  "sitesearch GetQueryPageStats": { input: example("sitesearch", "GetQueryPageStats"), has: "d.0.Query" },
  "sitesearch GetPageQueryStats": { input: example("sitesearch", "GetPageQueryStats"), has: "d.0.Query" },
  "sitesearch GetQueryTrafficStats": { input: example("sitesearch", "GetQueryTrafficStats"), has: "d.0.Impressions" },
  "sitesearch GetCrawlStats": { input: example("sitesearch", "GetCrawlStats"), has: "d.0.InIndex" },
  "sitesearch GetCrawlIssues": { input: example("sitesearch", "GetCrawlIssues"), has: "d.0.Issues" },
  "sitesearch GetFeeds": { input: example("sitesearch", "GetFeeds"), has: "d.0.Url" },
  "sitesearch GetUrlSubmissionQuota": { input: example("sitesearch", "GetUrlSubmissionQuota"), has: "d.DailyQuota" },
  "sitesearch GetKeywordStats": { input: example("sitesearch", "GetKeywordStats"), has: "d.0.Query" },
  "sitesearch SubmitUrl": { input: example("sitesearch", "SubmitUrl"), has: "d" },
  "sitesearch SubmitUrlBatch": { input: example("sitesearch", "SubmitUrlBatch"), has: "d" },
  "sitesearch sitesearch_top_queries": { input: site, has: "rows.0.query" },
  "sitesearch sitesearch_top_pages": { input: site, has: "rows.0.page" },
  "sitesearch sitesearch_crawl_health": { input: site, has: "issues.0.url" },
  "sitesearch sitesearch_list_sites": { input: {}, has: "sites.0.url" },

  "gsheets spreadsheets.get": { input: example("gsheets", "spreadsheets.get"), has: "sheets.3.properties.title" },
  "gsheets values.get": { input: example("gsheets", "values.get"), has: "values.8.0" },
  "gsheets values.batchGet": { input: example("gsheets", "values.batchGet"), has: "valueRanges.1.values.0.0" },
  "gsheets values.update": { input: example("gsheets", "values.update"), has: "updatedCells" },
  "gsheets values.append": { input: example("gsheets", "values.append"), has: "updates.updatedRange" },
  "gsheets values.batchUpdate": { input: example("gsheets", "values.batchUpdate"), has: "totalUpdatedCells" },
  "gsheets values.clear": { input: example("gsheets", "values.clear"), has: "clearedRange" },
  "gsheets spreadsheets.create": { input: example("gsheets", "spreadsheets.create"), has: "spreadsheetUrl" },
  "gsheets spreadsheets.batchUpdate": {
    input: example("gsheets", "spreadsheets.batchUpdate"),
    has: "replies.0.addSheet.properties.sheetId"
  },
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

  "gdocs documents.get": { input: example("gdocs", "documents.get"), has: "body.content.0" },
  "gdocs documents.create": { input: example("gdocs", "documents.create"), has: "documentId" },
  "gdocs documents.batchUpdate": {
    input: example("gdocs", "documents.batchUpdate"),
    has: "writeControl.requiredRevisionId"
  },
  "gdocs docs_read": { input: { document: documentId }, has: "text" },
  "gdocs docs_create": { input: { title: "Agenda", text: "# Topics\n\n- Spring" }, has: "url" },
  "gdocs docs_append": { input: { document: documentId, text: "## Later\n\nAppended." }, has: "documentId" },
  "gdocs docs_replace_text": {
    input: { document: documentId, find: "Photography", replace: "Photographs" },
    has: "documentId"
  },
  "gdocs docs_insert": { input: { document: documentId, heading: "Goals", text: "Inserted." }, has: "documentId" }
}
