import type { CallRequest } from "./CallApi.ts"

export interface CallExample {
  readonly summary: string
  readonly value: CallRequest
}

const shop = "https://www.fernhill.example/"
const leads = "sandbox-leads"
const plan = "sandbox-plan"

export const callExamples: ReadonlyArray<CallExample> = [
  {
    summary: "Search Console: the top queries of a site",
    value: { provider: "gsc", tool: "gsc_top_queries", input: { site: "fernhill.example", days: 28 } }
  },
  {
    summary: "Search Console: the sitemaps of a property",
    value: {
      provider: "gsc",
      endpoint: "sitemaps.list",
      input: { path: { siteUrl: "sc-domain:fernhill.example" } },
      max_age: 3600
    }
  },
  {
    summary: "Analytics: the top landing pages",
    value: { provider: "ga4", tool: "ga4_traffic_by_page", input: { property: "410000011", days: 28 } }
  },
  {
    summary: "Analytics: a report of sessions by day",
    value: {
      provider: "ga4",
      endpoint: "properties.runReport",
      input: {
        path: { property: "410000011" },
        body: {
          dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }],
          dimensions: [{ name: "date" }],
          metrics: [{ name: "sessions" }]
        }
      }
    }
  },
  {
    summary: "Site search: the crawl health of a site",
    value: { provider: "sitesearch", tool: "sitesearch_crawl_health", input: { site: "fernhill.example" } }
  },
  {
    summary: "Site search: the submission quota of a site",
    value: { provider: "sitesearch", endpoint: "GetUrlSubmissionQuota", input: { query: { siteUrl: shop } } }
  },
  {
    summary: "Site search: submit a URL (writes)",
    value: { provider: "sitesearch", endpoint: "SubmitUrl", input: { body: { siteUrl: shop, url: `${shop}new` } } }
  },
  {
    summary: "Spreadsheets: rows as objects",
    value: { provider: "gsheets", tool: "sheets_read", input: { spreadsheet: leads, limit: 5 } }
  },
  {
    summary: "Spreadsheets: one range",
    value: {
      provider: "gsheets",
      endpoint: "values.get",
      input: { path: { spreadsheetId: leads, range: "Leads!A1:C5" } }
    }
  },
  {
    summary: "Spreadsheets: append a row (writes)",
    value: {
      provider: "gsheets",
      tool: "sheets_append_rows",
      input: { spreadsheet: leads, rows: [{ Name: "Wren Okoro", Email: "wren@example.com" }] }
    }
  },
  {
    summary: "Documents: a document as markdown",
    value: { provider: "gdocs", tool: "docs_read", input: { document: plan, max_chars: 2000 } }
  },
  {
    summary: "Documents: the title of a document",
    value: {
      provider: "gdocs",
      endpoint: "documents.get",
      input: { path: { documentId: plan }, query: { fields: "title" } }
    }
  },
  {
    summary: "Documents: append a paragraph (writes)",
    value: { provider: "gdocs", tool: "docs_append", input: { document: plan, text: "Order **seed trays**." } }
  }
]
