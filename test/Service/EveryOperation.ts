import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"

export type Call = CallRequest

export const nameOf = ({ endpoint = "", tool = endpoint }: Call): string => tool

const gsc = { provider: "gsc" }
const ga4 = { provider: "ga4" }
const sitesearch = { provider: "sitesearch" }
const gsheets = { provider: "gsheets" }
const gdocs = { provider: "gdocs" }

const siteUrl = "https://example.com/"
const property = "123"
const spreadsheetId = "spreadsheet-1"
const documentId = "document-1"
const range = "Sheet1!A1:B2"
const values = [["a", 1]]

export const reads: ReadonlyArray<Call> = [
  { ...gsc, endpoint: "sites.list" },
  { ...gsc, endpoint: "sites.get", input: { path: { siteUrl } } },
  {
    ...gsc,
    endpoint: "searchanalytics.query",
    input: { path: { siteUrl }, body: { startDate: "2026-01-01", endDate: "2026-01-31" } }
  },
  { ...gsc, endpoint: "sitemaps.list", input: { path: { siteUrl } } },
  { ...gsc, endpoint: "sitemaps.get", input: { path: { siteUrl, feedpath: `${siteUrl}sitemap.xml` } } },
  { ...gsc, endpoint: "urlInspection.index.inspect", input: { body: { siteUrl, inspectionUrl: siteUrl } } },
  { ...gsc, tool: "gsc_top_queries", input: { site: siteUrl } },
  { ...gsc, tool: "gsc_quick_wins", input: { site: siteUrl } },

  { ...ga4, endpoint: "accountSummaries.list" },
  {
    ...ga4,
    endpoint: "properties.runReport",
    input: {
      path: { property },
      body: { metrics: [{ name: "sessions" }], dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }] }
    }
  },
  {
    ...ga4,
    endpoint: "properties.runRealtimeReport",
    input: { path: { property }, body: { metrics: [{ name: "activeUsers" }] } }
  },
  { ...ga4, endpoint: "properties.getMetadata", input: { path: { property } } },
  { ...ga4, tool: "ga4_traffic_by_page", input: { property } },
  { ...ga4, tool: "ga4_list_properties" },

  { ...sitesearch, endpoint: "GetUserSites" },
  { ...sitesearch, endpoint: "GetQueryStats", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetPageStats", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetRankAndTrafficStats", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetQueryPageStats", input: { query: { siteUrl, query: "shoes" } } },
  { ...sitesearch, endpoint: "GetPageQueryStats", input: { query: { siteUrl, page: siteUrl } } },
  { ...sitesearch, endpoint: "GetQueryTrafficStats", input: { query: { siteUrl, query: "shoes" } } },
  { ...sitesearch, endpoint: "GetCrawlStats", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetCrawlIssues", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetFeeds", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetUrlSubmissionQuota", input: { query: { siteUrl } } },
  { ...sitesearch, endpoint: "GetKeywordStats", input: { query: { q: "shoes" } } },
  { ...sitesearch, tool: "sitesearch_top_queries", input: { site: siteUrl } },
  { ...sitesearch, tool: "sitesearch_top_pages", input: { site: siteUrl } },
  { ...sitesearch, tool: "sitesearch_crawl_health", input: { site: siteUrl } },
  { ...sitesearch, tool: "sitesearch_list_sites" },

  { ...gsheets, endpoint: "spreadsheets.get", input: { path: { spreadsheetId } } },
  { ...gsheets, endpoint: "values.get", input: { path: { spreadsheetId, range } } },
  { ...gsheets, endpoint: "values.batchGet", input: { path: { spreadsheetId }, query: { ranges: [range] } } },
  { ...gsheets, tool: "sheets_read", input: { spreadsheet: spreadsheetId } },
  { ...gsheets, tool: "sheets_list_tabs", input: { spreadsheet: spreadsheetId } },

  { ...gdocs, endpoint: "documents.get", input: { path: { documentId } } },
  { ...gdocs, tool: "docs_read", input: { document: documentId } }
]

export const writes: ReadonlyArray<Call> = [
  { ...sitesearch, endpoint: "SubmitUrl", input: { body: { siteUrl, url: siteUrl } } },
  { ...sitesearch, endpoint: "SubmitUrlBatch", input: { body: { siteUrl, urlList: [siteUrl] } } },

  {
    ...gsheets,
    endpoint: "values.update",
    input: { path: { spreadsheetId, range }, query: { valueInputOption: "RAW" }, body: { values } }
  },
  {
    ...gsheets,
    endpoint: "values.append",
    input: { path: { spreadsheetId, range }, query: { valueInputOption: "RAW" }, body: { values } }
  },
  {
    ...gsheets,
    endpoint: "values.batchUpdate",
    input: { path: { spreadsheetId }, body: { valueInputOption: "RAW", data: [{ range, values }] } }
  },
  { ...gsheets, endpoint: "values.clear", input: { path: { spreadsheetId, range } } },
  { ...gsheets, endpoint: "spreadsheets.create", input: { body: { properties: { title: "Plan" } } } },
  {
    ...gsheets,
    endpoint: "spreadsheets.batchUpdate",
    input: { path: { spreadsheetId }, body: { requests: [{ deleteSheet: { sheetId: 1 } }] } }
  },
  { ...gsheets, tool: "sheets_append_rows", input: { spreadsheet: spreadsheetId, rows: values } },
  { ...gsheets, tool: "sheets_update_range", input: { spreadsheet: spreadsheetId, range: "A1:B1", values } },
  { ...gsheets, tool: "sheets_create", input: { title: "Plan" } },

  { ...gdocs, endpoint: "documents.create", input: { body: { title: "Plan" } } },
  {
    ...gdocs,
    endpoint: "documents.batchUpdate",
    input: { path: { documentId }, body: { requests: [{ insertText: { text: "a", endOfSegmentLocation: {} } }] } }
  },
  { ...gdocs, tool: "docs_create", input: { title: "Plan" } },
  { ...gdocs, tool: "docs_append", input: { document: documentId, text: "a" } },
  { ...gdocs, tool: "docs_replace_text", input: { document: documentId, find: "a", replace: "b" } },
  { ...gdocs, tool: "docs_insert", input: { document: documentId, index: 1, text: "a" } }
]
