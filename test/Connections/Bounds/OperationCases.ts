import type { RawEndpoint, SmartTool } from "../../../src/Providers/Provider.ts"
import type { Kind } from "./Spellings.ts"

export interface NamingCase {
  readonly kind: Kind
  /** An input that names the resource. */
  readonly at: (name: string) => unknown
}

const days = [{ startDate: "7daysAgo", endDate: "yesterday" }]
const metrics = [{ name: "sessions" }]
const page = "https://acme.com/page"

const site = (at: NamingCase["at"]): NamingCase => ({ kind: "site", at })
/** In Search Console, a URL prefix and a domain are two kinds of sites. */
const anySite = (at: NamingCase["at"]): ReadonlyArray<NamingCase> => [site(at), { kind: "domain", at }]
const property = (at: NamingCase["at"]): NamingCase => ({ kind: "property", at })
const file = (at: NamingCase["at"]): NamingCase => ({ kind: "file", at })
const document = (at: NamingCase["at"]): NamingCase => ({ kind: "document", at })

const inPath = anySite((siteUrl) => ({ path: { siteUrl } }))
const inQuery = site((siteUrl) => ({ query: { siteUrl } }))
const withQuery = site((siteUrl) => ({ query: { siteUrl, query: "boots" } }))
const siteField = site((site) => ({ site }))
const range = { range: "A1:B2" }
const values = { values: [["a"]] }
const raw = { valueInputOption: "RAW" }
const sheet = (more: object = {}) => file((spreadsheetId) => ({ path: { spreadsheetId, ...more } }))
const spreadsheet = (more: object = {}) => file((spreadsheet) => ({ spreadsheet, ...more }))
const doc = (more: object) => document((document) => ({ document, ...more }))

/** One case for each place where an input names a resource, by operation. */
export const naming: Readonly<Record<string, ReadonlyArray<NamingCase>>> = {
  "sites.get": inPath,
  "searchanalytics.query": anySite((siteUrl) => ({
    path: { siteUrl },
    body: { startDate: "2026-11-01", endDate: "2026-11-07" }
  })),
  "sitemaps.list": inPath,
  "sitemaps.get": anySite((siteUrl) => ({ path: { siteUrl, feedpath: "https://acme.com/sitemap.xml" } })),
  "urlInspection.index.inspect": [
    ...anySite((siteUrl) => ({ body: { siteUrl, inspectionUrl: page } })),
    site((inspectionUrl) => ({ body: { siteUrl: "https://acme.com/", inspectionUrl } })),
    { kind: "page", at: (inspectionUrl) => ({ body: { siteUrl: "sc-domain:acme.com", inspectionUrl } }) }
  ],
  gsc_top_queries: anySite((site) => ({ site })),
  gsc_quick_wins: anySite((site) => ({ site })),
  "properties.runReport": [property((property) => ({ path: { property }, body: { dateRanges: days, metrics } }))],
  "properties.runRealtimeReport": [property((property) => ({ path: { property }, body: { metrics } }))],
  "properties.getMetadata": [property((property) => ({ path: { property } }))],
  "properties.batchRunReports": [
    property((property) => ({ path: { property }, body: { requests: [{ dateRanges: days, metrics }] } })),
    property((property) => ({
      path: { property: "123" },
      body: { requests: [{ dateRanges: days, metrics }, { property, dateRanges: days, metrics }] }
    }))
  ],
  ga4_traffic_by_page: [property((property) => ({ property }))],
  GetQueryStats: [inQuery],
  GetPageStats: [inQuery],
  GetRankAndTrafficStats: [inQuery],
  GetQueryPageStats: [withQuery],
  GetPageQueryStats: [site((siteUrl) => ({ query: { siteUrl, page } }))],
  GetQueryTrafficStats: [withQuery],
  GetCrawlStats: [inQuery],
  GetCrawlIssues: [inQuery],
  GetFeeds: [inQuery],
  GetUrlSubmissionQuota: [inQuery],
  SubmitUrl: [
    site((siteUrl) => ({ body: { siteUrl, url: page } })),
    site((url) => ({ body: { siteUrl: "https://acme.com/", url } }))
  ],
  SubmitUrlBatch: [
    site((siteUrl) => ({ body: { siteUrl, urlList: [page] } })),
    site((url) => ({ body: { siteUrl: "https://acme.com/", urlList: [page, url] } }))
  ],
  sitesearch_crawl_health: [siteField],
  sitesearch_top_pages: [siteField],
  sitesearch_top_queries: [siteField],
  "spreadsheets.get": [sheet()],
  "values.get": [sheet(range)],
  "values.batchGet": [file((spreadsheetId) => ({ path: { spreadsheetId }, query: { ranges: ["A1"] } }))],
  "values.update": [file((spreadsheetId) => ({ path: { spreadsheetId, ...range }, query: raw, body: values }))],
  "values.append": [file((spreadsheetId) => ({ path: { spreadsheetId, ...range }, query: raw, body: values }))],
  "values.batchUpdate": [
    file((spreadsheetId) => ({ path: { spreadsheetId }, body: { ...raw, data: [{ ...range, ...values }] } }))
  ],
  "values.clear": [sheet(range)],
  "spreadsheets.batchUpdate": [
    file((spreadsheetId) => ({ path: { spreadsheetId }, body: { requests: [{ addSheet: {} }] } }))
  ],
  sheets_list_tabs: [spreadsheet()],
  sheets_read: [spreadsheet()],
  sheets_append_rows: [spreadsheet({ rows: [["a"]] })],
  sheets_update_range: [spreadsheet({ range: "A1", values: "a" })],
  "documents.get": [document((documentId) => ({ path: { documentId } }))],
  "documents.batchUpdate": [
    document((documentId) => ({
      path: { documentId },
      body: { requests: [{ insertText: { text: "a", location: { index: 1 } } }] }
    }))
  ],
  docs_read: [doc({})],
  docs_append: [doc({ text: "a" })],
  docs_insert: [doc({ heading: "Goals", text: "a" })],
  docs_replace_text: [doc({ find: "a", replace: "b" })]
}

/** Operations that list resources, with a response of the provider. */
export const listing: Readonly<Record<string, unknown>> = {
  "sites.list": { siteEntry: [{ siteUrl: "https://acme.com/" }, { siteUrl: "sc-domain:other.com" }, {}] },
  "accountSummaries.list": {
    accountSummaries: [
      {
        account: "accounts/1",
        displayName: "Acme",
        propertySummaries: [{ property: "properties/123", displayName: "acme.com" }]
      },
      {
        account: "accounts/2",
        displayName: "other.com",
        propertySummaries: [{ property: "properties/9", displayName: "other.com" }]
      },
      {
        account: "accounts/3",
        displayName: "Both",
        propertySummaries: [{ property: "properties/123", displayName: "acme.com" }, {
          property: "properties/99",
          displayName: "other.com"
        }]
      }
    ]
  },
  GetUserSites: { d: [{ Url: "https://acme.com/", IsVerified: true }, { Url: "https://other.com/", IsVerified: true }] }
}

/** Tools that list resources, with the operation that they use. */
export const listingTools: Readonly<Record<string, string>> = {
  ga4_list_properties: "accountSummaries.list",
  sitesearch_list_sites: "GetUserSites"
}

export const creating: Readonly<Record<string, unknown>> = {
  "spreadsheets.create": {},
  sheets_create: { title: "New" },
  "documents.create": {},
  docs_create: { title: "New" }
}

export const aboutNone: Readonly<Record<string, unknown>> = {
  GetKeywordStats: { query: { q: "boots" } },
  "properties.getMetadata": { path: { property: "0" } }
}

export const idOf = (row: RawEndpoint | SmartTool): string => "id" in row ? row.id : row.name
