import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import type { Call } from "./EveryOperation.ts"

export interface Row {
  readonly input: NonNullable<Call["input"]>
  readonly has: string
}

const domain = `sc-domain:${company.domain}`
const shop = `${company.shop}/`
const query = "how to prune roses"
const property = "410000011"
const dateRanges = [{ startDate: "28daysAgo", endDate: "yesterday" }]
const spreadsheetId = leadsId
const documentId = planId
const values = [["Fork", 3]]

const ofProperty = { path: { siteUrl: domain } }
const ofSite = { query: { siteUrl: shop } }
const site = { site: company.domain }
const raw = { valueInputOption: "RAW" }
const inEmpty = (range: string) => ({ spreadsheetId, range: `Empty!${range}` })

export const operations: Readonly<Record<string, Row>> = {
  "gsc sites.list": { input: {}, has: "siteEntry.0.siteUrl" },
  "gsc sites.get": { input: ofProperty, has: "permissionLevel" },
  "gsc searchanalytics.query": {
    input: { ...ofProperty, body: { startDate: "2026-02-16", endDate: "2026-03-15", dimensions: ["query"] } },
    has: "rows.0.clicks"
  },
  "gsc sitemaps.list": { input: ofProperty, has: "sitemap.0.path" },
  "gsc sitemaps.get": {
    input: { path: { siteUrl: domain, feedpath: `${company.blog}/sitemap.xml` } },
    has: "lastSubmitted"
  },
  "gsc urlInspection.index.inspect": {
    input: { body: { siteUrl: domain, inspectionUrl: `${shop}products/dibber` } },
    has: "inspectionResult.indexStatusResult.verdict"
  },
  "gsc gsc_top_queries": { input: site, has: "rows.0.query" },
  "gsc gsc_quick_wins": { input: site, has: "rows.0.potential_clicks" },

  "ga4 accountSummaries.list": { input: {}, has: "accountSummaries.1.propertySummaries.0.property" },
  "ga4 properties.runReport": {
    input: {
      path: { property },
      body: { dateRanges, metrics: [{ name: "sessions" }], dimensions: [{ name: "date" }] }
    },
    has: "rows.27.metricValues.0.value"
  },
  "ga4 properties.runRealtimeReport": {
    input: { path: { property }, body: { metrics: [{ name: "activeUsers" }] } },
    has: "rows.0.metricValues.0.value"
  },
  "ga4 properties.getMetadata": { input: { path: { property } }, has: "dimensions.0.apiName" },
  "ga4 ga4_traffic_by_page": { input: { property }, has: "rows.0.sessions" },
  "ga4 ga4_list_properties": { input: {}, has: "properties.2.property_id" },

  "sitesearch GetUserSites": { input: {}, has: "d.0.Url" },
  "sitesearch GetQueryStats": { input: ofSite, has: "d.0.Query" },
  "sitesearch GetPageStats": { input: ofSite, has: "d.0.Query" },
  "sitesearch GetRankAndTrafficStats": { input: ofSite, has: "d.0.Clicks" },
  "sitesearch GetQueryPageStats": { input: { query: { siteUrl: shop, query: "compost bin" } }, has: "d.0.Query" },
  "sitesearch GetPageQueryStats": {
    input: { query: { siteUrl: shop, page: `${shop}products/compost-bin` } },
    has: "d.0.Query"
  },
  "sitesearch GetQueryTrafficStats": {
    input: { query: { siteUrl: shop, query: "compost bin" } },
    has: "d.0.Impressions"
  },
  "sitesearch GetCrawlStats": { input: ofSite, has: "d.0.InIndex" },
  "sitesearch GetCrawlIssues": { input: ofSite, has: "d.0.Issues" },
  "sitesearch GetFeeds": { input: ofSite, has: "d.0.Url" },
  "sitesearch GetUrlSubmissionQuota": { input: ofSite, has: "d.DailyQuota" },
  "sitesearch GetKeywordStats": { input: { query: { q: query } }, has: "d.0.Query" },
  "sitesearch SubmitUrl": { input: { body: { siteUrl: shop, url: `${shop}new` } }, has: "d" },
  "sitesearch SubmitUrlBatch": { input: { body: { siteUrl: shop, urlList: [`${shop}a`, `${shop}b`] } }, has: "d" },
  "sitesearch sitesearch_top_queries": { input: site, has: "rows.0.query" },
  "sitesearch sitesearch_top_pages": { input: site, has: "rows.0.page" },
  "sitesearch sitesearch_crawl_health": { input: site, has: "issues.0.url" },
  "sitesearch sitesearch_list_sites": { input: {}, has: "sites.0.url" },

  "gsheets spreadsheets.get": { input: { path: { spreadsheetId } }, has: "sheets.3.properties.title" },
  "gsheets values.get": { input: { path: { spreadsheetId, range: "Leads!A1:M9" } }, has: "values.8.0" },
  "gsheets values.batchGet": {
    input: { path: { spreadsheetId }, query: { ranges: ["Leads!A1:B2", "'Jon''s Data'!A1"] } },
    has: "valueRanges.1.values.0.0"
  },
  "gsheets values.update": {
    input: { path: inEmpty("A1:B1"), query: raw, body: { values: [["Tool", "Count"]] } },
    has: "updatedCells"
  },
  "gsheets values.append": {
    input: { path: inEmpty("A1"), query: raw, body: { values } },
    has: "updates.updatedRange"
  },
  "gsheets values.batchUpdate": {
    input: { path: { spreadsheetId }, body: { ...raw, data: [{ range: "Empty!A3:B3", values }] } },
    has: "totalUpdatedCells"
  },
  "gsheets values.clear": { input: { path: inEmpty("A3:B3") }, has: "clearedRange" },
  "gsheets spreadsheets.create": { input: { body: { properties: { title: "Stock" } } }, has: "spreadsheetUrl" },
  "gsheets spreadsheets.batchUpdate": {
    input: { path: { spreadsheetId }, body: { requests: [{ addSheet: { properties: { title: "Added" } } }] } },
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

  "gdocs documents.get": { input: { path: { documentId } }, has: "body.content.0" },
  "gdocs documents.create": { input: { body: { title: "Minutes" } }, has: "documentId" },
  "gdocs documents.batchUpdate": {
    input: {
      path: { documentId },
      body: { requests: [{ insertText: { text: "\nWritten by a request.", endOfSegmentLocation: {} } }] }
    },
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
