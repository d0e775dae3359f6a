import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import { docs } from "@googleapis/docs"
import { searchconsole } from "@googleapis/searchconsole"
import * as ga4 from "../../src/Providers/Ga4/Endpoints.ts"
import * as gdocs from "../../src/Providers/Gdocs/Endpoints.ts"
import * as gsc from "../../src/Providers/Gsc/Endpoints.ts"
import { callsOf, commonQuery, type EndpointCalls } from "./EndpointCalls.ts"
import { gsheetsCalls } from "./GsheetsCalls.ts"

const filter = (value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType: "PARTIAL_REGEXP", value, caseSensitive: true } }
})

const reports = callsOf("ga4Data", (rootUrl) => analyticsdata({ version: "v1beta", rootUrl }), [
  [ga4.propertiesRunReport, "analyticsdata.properties.runReport", [
    {
      path: { property: "123456789" },
      body: {
        dateRanges: [{ startDate: "2020-09-01", endDate: "2020-09-15" }],
        dimensions: [{ name: "country" }],
        metrics: [{ name: "activeUsers" }]
      }
    },
    {
      path: { property: "properties/123456789" },
      query: { fields: "rows,rowCount" },
      body: {
        property: "properties/123456789",
        dateRanges: [
          { startDate: "28daysAgo", endDate: "yesterday", name: "now ü" },
          { startDate: "56daysAgo", endDate: "29daysAgo" }
        ],
        dimensions: [
          { name: "customEvent:größe" },
          {
            name: "countryAndCity",
            dimensionExpression: { concatenate: { dimensionNames: ["country", "city"], delimiter: ", " } }
          }
        ],
        metrics: [{ name: "perUser", expression: "eventCount/totalUsers" }, { name: "sessions", invisible: true }],
        dimensionFilter: {
          andGroup: {
            expressions: [
              filter("^/\"über\"/"),
              { notExpression: { orGroup: { expressions: [filter("a"), filter("b")] } } },
              { filter: { fieldName: "city", emptyFilter: {} } },
              { filter: { fieldName: "city", inListFilter: { values: ["Köln", "Zürich"] } } }
            ]
          }
        },
        metricFilter: {
          filter: {
            fieldName: "sessions",
            betweenFilter: { fromValue: { int64Value: "9223372036854775807" }, toValue: { doubleValue: 1.5 } }
          }
        },
        metricAggregations: ["TOTAL", "MINIMUM"],
        orderBys: [{ metric: { metricName: "sessions" }, desc: true }, {
          dimension: { dimensionName: "city", orderType: "NUMERIC" }
        }],
        limit: "250000",
        offset: 10,
        currencyCode: "EUR",
        keepEmptyRows: true,
        returnPropertyQuota: true
      }
    }
  ]],
  [ga4.propertiesRunRealtimeReport, "analyticsdata.properties.runRealtimeReport", [
    { path: { property: "1" }, body: { metrics: [{ name: "activeUsers" }] } },
    {
      path: { property: "properties/1" },
      query: commonQuery,
      body: {
        dimensions: [{ name: "unifiedScreenName" }],
        minuteRanges: [{ name: "first half", startMinutesAgo: 29, endMinutesAgo: 15 }, { startMinutesAgo: 14 }],
        dimensionFilter: filter("ü"),
        limit: 1
      }
    }
  ]],
  [ga4.propertiesGetMetadata, "analyticsdata.properties.getMetadata", [{ path: { property: "0" } }, {
    path: { property: "properties/123456789" },
    query: commonQuery
  }]]
])

const accounts = callsOf("ga4Admin", (rootUrl) => analyticsadmin({ version: "v1beta", rootUrl }), [
  [ga4.accountSummariesList, "analyticsadmin.accountSummaries.list", [{}, {
    query: { pageSize: 200, pageToken: "a+b/c=", ...commonQuery }
  }]]
])

const ga4Calls = [...accounts, ...reports]

const site = { siteUrl: "sc-domain:bücher.example" }
const prefixSite = { siteUrl: "https://www.example.com/päth%20a/" }
const days = { startDate: "2026-08-01", endDate: "2026-08-31" }

const gscCalls = callsOf("gsc", (rootUrl) => searchconsole({ version: "v1", rootUrl }), [
  [gsc.sitesList, "webmasters.sites.list", [{}, { query: commonQuery }]],
  [gsc.sitesGet, "webmasters.sites.get", [{ path: site }, { path: prefixSite, query: { fields: "siteUrl" } }]],
  [gsc.searchanalyticsQuery, "webmasters.searchanalytics.query", [
    { path: site, body: days },
    {
      path: prefixSite,
      query: { fields: "rows(keys,clicks)" },
      body: {
        ...days,
        dimensions: ["QUERY", "page"],
        type: "web",
        aggregationType: "byPage",
        dataState: "all",
        rowLimit: 25_000,
        startRow: 0,
        dimensionFilterGroups: [{
          groupType: "and",
          filters: [{ dimension: "page", operator: "includingRegex", expression: "^https://\"a\"/ü?b=c&d" }]
        }]
      }
    }
  ]],
  [gsc.sitemapsList, "webmasters.sitemaps.list", [{ path: site }, {
    path: prefixSite,
    query: { sitemapIndex: "https://www.example.com/a.xml?b=c&d=é" }
  }]],
  [gsc.sitemapsGet, "webmasters.sitemaps.get", [{
    path: { ...site, feedpath: "https://www.example.com/site%20map.xml?a=b#c" }
  }]],
  [gsc.urlInspectionIndexInspect, "searchconsole.urlInspection.index.inspect", [
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://example.com/ä?q=\"x\"" } },
    {
      query: commonQuery,
      body: { siteUrl: "https://www.example.com/", inspectionUrl: "https://www.example.com/a", languageCode: "de-CH" }
    }
  ]]
])

const document = { documentId: "1qY_document-id" }
const gdocsCalls = callsOf("gdocs", (rootUrl) => docs({ version: "v1", rootUrl }), [
  [gdocs.documentsGet, "docs.documents.get", [
    { path: document },
    { path: { documentId: "…/ü?#" }, query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" } },
    { path: document, query: { fields: "title,tabs(documentTab(body.content(paragraph))),revisionId" } }
  ]],
  [gdocs.documentsCreate, "docs.documents.create", [{}, { body: {} }, {
    query: commonQuery,
    body: { title: "Jon's \"Q1/Q2\" 🚀" }
  }]],
  [gdocs.documentsBatchUpdate, "docs.documents.batchUpdate", [
    { path: document, body: { requests: [{ insertText: { text: "a\n", endOfSegmentLocation: {} } }] } },
    {
      path: document,
      query: commonQuery,
      body: {
        writeControl: { requiredRevisionId: "AJp+/=" },
        requests: [
          { insertText: { text: "🚀 \"ü\"", location: { index: 25, tabId: "t.0" } } },
          { deleteContentRange: { range: { startIndex: 1, endIndex: 10, segmentId: "" } } },
          {
            replaceAllText: {
              containsText: { text: "a", matchCase: true },
              replaceText: "",
              tabsCriteria: { tabIds: ["t.0"] }
            }
          },
          {
            updateTextStyle: {
              range: { startIndex: 1, endIndex: 5 },
              textStyle: {
                bold: true,
                link: { url: "https://example.com/?a=b" },
                fontSize: { magnitude: 12.5, unit: "PT" },
                weightedFontFamily: { fontFamily: "Arial", weight: 400 }
              },
              fields: "bold,link,font_size,weightedFontFamily"
            }
          },
          { insertTable: { rows: 2, columns: 3, location: { index: 1 } } }
        ]
      }
    }
  ]]
])

export const googleCalls: ReadonlyArray<EndpointCalls> = [...gscCalls, ...ga4Calls, ...gsheetsCalls, ...gdocsCalls]
