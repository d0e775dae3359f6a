import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import { docs } from "@googleapis/docs"
import { searchconsole } from "@googleapis/searchconsole"
import { sheets } from "@googleapis/sheets"
import * as ga4 from "../../src/Providers/Ga4/Endpoints.ts"
import * as gdocs from "../../src/Providers/Gdocs/Endpoints.ts"
import * as gsc from "../../src/Providers/Gsc/Endpoints.ts"
import * as gsheets from "../../src/Providers/Gsheets/Endpoints.ts"
import type { RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import type { GoogleOrigin } from "./Discovery.ts"

/** Ways to call one endpoint, and how Google's own client makes the same calls. */
export interface Calls {
  readonly endpoint: RawEndpoint
  readonly origin: GoogleOrigin
  /** Of the discovery document's method. */
  readonly method: string
  readonly inputs: ReadonlyArray<unknown>
  readonly official: (rootUrl: string, input: RawInput) => Promise<unknown>
}

/** The official clients' types want lists that could be changed. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? {}))

const everywhere = { fields: "*", quotaUser: "user 1&2", prettyPrint: false }

const site = { siteUrl: "sc-domain:bücher.example" }
const prefixSite = { siteUrl: "https://www.example.com/päth%20a/" }
const days = { startDate: "2026-08-01", endDate: "2026-08-31" }

const gscCalls = (at: string) => searchconsole({ version: "v1", rootUrl: at })
const gscRows: ReadonlyArray<Omit<Calls, "origin">> = [
  {
    endpoint: gsc.sitesList,
    method: "webmasters.sites.list",
    inputs: [{}, { query: everywhere }],
    official: (at, { query }) => gscCalls(at).sites.list(plain(query))
  },
  {
    endpoint: gsc.sitesGet,
    method: "webmasters.sites.get",
    inputs: [{ path: site }, { path: prefixSite, query: { fields: "siteUrl" } }],
    official: (at, { path, query }) => gscCalls(at).sites.get({ ...path, ...plain(query) })
  },
  {
    endpoint: gsc.searchanalyticsQuery,
    method: "webmasters.searchanalytics.query",
    inputs: [
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
    ],
    official: (at, { body, path, query }) =>
      gscCalls(at).searchanalytics.query({ ...path, ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsc.sitemapsList,
    method: "webmasters.sitemaps.list",
    inputs: [{ path: site }, { path: prefixSite, query: { sitemapIndex: "https://www.example.com/a.xml?b=c&d=é" } }],
    official: (at, { path, query }) => gscCalls(at).sitemaps.list({ ...path, ...plain(query) })
  },
  {
    endpoint: gsc.sitemapsGet,
    method: "webmasters.sitemaps.get",
    inputs: [{ path: { ...site, feedpath: "https://www.example.com/site%20map.xml?a=b#c" } }],
    official: (at, { path, query }) => gscCalls(at).sitemaps.get({ ...path, ...plain(query) })
  },
  {
    endpoint: gsc.urlInspectionIndexInspect,
    method: "searchconsole.urlInspection.index.inspect",
    inputs: [
      { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://example.com/ä?q=\"x\"" } },
      {
        query: everywhere,
        body: {
          siteUrl: "https://www.example.com/",
          inspectionUrl: "https://www.example.com/a",
          languageCode: "de-CH"
        }
      }
    ],
    official: (at, { body, query }) =>
      gscCalls(at).urlInspection.index.inspect({ ...plain(query), requestBody: plain(body) })
  }
]

const filter = (value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType: "PARTIAL_REGEXP", value, caseSensitive: true } }
})

const reports = (at: string) => analyticsdata({ version: "v1beta", rootUrl: at }).properties
const ga4Rows: ReadonlyArray<Calls> = [
  {
    endpoint: ga4.accountSummariesList,
    origin: "ga4Admin",
    method: "analyticsadmin.accountSummaries.list",
    inputs: [{}, { query: { pageSize: 200, pageToken: "a+b/c=", ...everywhere } }],
    official: (at, { query }) => analyticsadmin({ version: "v1beta", rootUrl: at }).accountSummaries.list(plain(query))
  },
  {
    endpoint: ga4.propertiesRunReport,
    origin: "ga4Data",
    method: "analyticsdata.properties.runReport",
    inputs: [
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
      },
      {
        path: { property: "1" },
        body: {
          dimensions: [{ name: "cohort" }, { name: "cohortNthWeek" }],
          metrics: [{ name: "cohortActiveUsers" }],
          cohortSpec: {
            cohorts: [{
              name: "first week",
              dimension: "firstSessionDate",
              dateRange: { startDate: "2026-08-02", endDate: "2026-08-08" }
            }],
            cohortsRange: { granularity: "WEEKLY", startOffset: 0, endOffset: 5 }
          }
        }
      }
    ],
    official: (at, { body, path, query }) =>
      reports(at).runReport({
        property: `properties/${path?.["property"]}`,
        ...plain(query),
        requestBody: plain(body)
      })
  },
  {
    endpoint: ga4.propertiesRunRealtimeReport,
    origin: "ga4Data",
    method: "analyticsdata.properties.runRealtimeReport",
    inputs: [
      { path: { property: "1" }, body: { metrics: [{ name: "activeUsers" }] } },
      {
        path: { property: "properties/1" },
        query: everywhere,
        body: {
          dimensions: [{ name: "unifiedScreenName" }],
          minuteRanges: [{ name: "first half", startMinutesAgo: 29, endMinutesAgo: 15 }, { startMinutesAgo: 14 }],
          dimensionFilter: filter("ü"),
          limit: 1
        }
      }
    ],
    official: (at, { body, path, query }) =>
      reports(at).runRealtimeReport({
        property: `properties/${path?.["property"]}`,
        ...plain(query),
        requestBody: plain(body)
      })
  },
  {
    endpoint: ga4.propertiesGetMetadata,
    origin: "ga4Data",
    method: "analyticsdata.properties.getMetadata",
    inputs: [{ path: { property: "0" } }, { path: { property: "properties/123456789" }, query: everywhere }],
    official: (at, { path, query }) =>
      reports(at).getMetadata({ name: `properties/${path?.["property"]}/metadata`, ...plain(query) })
  }
]

const spreadsheet = { spreadsheetId: "1q0gLhLdGXYZblahblahblah-_" }
const awkwardRange = { ...spreadsheet, range: "'Jon''s Q1/Q2'!A1:B2" }
const unicodeRange = { ...spreadsheet, range: "'Größe? #1 & 100%+'!$A$1:R2" }
const written = {
  valueInputOption: "USER_ENTERED",
  includeValuesInResponse: true,
  responseValueRenderOption: "UNFORMATTED_VALUE",
  responseDateTimeRenderOption: "FORMATTED_STRING"
}
const cells = [["Ünïcode 🚀", 1.5, true, null], [], ["=SUM(A1:B2)", "", "\"quoted\"", -0.1]]

const sheetsAt = (at: string) => sheets({ version: "v4", rootUrl: at }).spreadsheets
const gsheetsRows: ReadonlyArray<Omit<Calls, "origin">> = [
  {
    endpoint: gsheets.spreadsheetsGet,
    method: "sheets.spreadsheets.get",
    inputs: [
      { path: spreadsheet },
      {
        path: spreadsheet,
        query: {
          ranges: ["'Jon''s Q1/Q2'!A1:B2", "Größe", "A,B"],
          includeGridData: true,
          excludeTablesInBandedRanges: false,
          fields: "spreadsheetId,sheets.properties(sheetId,title)"
        }
      }
    ],
    official: (at, { path, query }) => sheetsAt(at).get({ ...path, ...plain(query) })
  },
  {
    endpoint: gsheets.valuesGet,
    method: "sheets.spreadsheets.values.get",
    inputs: [
      { path: awkwardRange },
      {
        path: unicodeRange,
        query: { majorDimension: "COLUMNS", valueRenderOption: "FORMULA", dateTimeRenderOption: "SERIAL_NUMBER" }
      },
      { path: { spreadsheetId: "a/b?c", range: "a..b" }, query: everywhere }
    ],
    official: (at, { path, query }) => sheetsAt(at).values.get({ ...path, ...plain(query) })
  },
  {
    endpoint: gsheets.valuesBatchGet,
    method: "sheets.spreadsheets.values.batchGet",
    inputs: [
      { path: spreadsheet, query: { ranges: ["A1"] } },
      { path: spreadsheet, query: { ranges: ["'Jon''s Q1/Q2'!A1:B2", "A1", "A1"], majorDimension: "ROWS" } }
    ],
    official: (at, { path, query }) => sheetsAt(at).values.batchGet({ ...path, ...plain(query) })
  },
  {
    endpoint: gsheets.valuesUpdate,
    method: "sheets.spreadsheets.values.update",
    inputs: [
      { path: awkwardRange, query: { valueInputOption: "RAW" }, body: { values: cells } },
      {
        path: unicodeRange,
        query: { ...written, ...everywhere },
        body: { range: unicodeRange.range, majorDimension: "COLUMNS", values: [] }
      }
    ],
    official: (at, { body, path, query }) =>
      sheetsAt(at).values.update({ ...path, ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsheets.valuesAppend,
    method: "sheets.spreadsheets.values.append",
    inputs: [
      { path: awkwardRange, query: { valueInputOption: "RAW" }, body: { values: cells } },
      {
        path: { ...spreadsheet, range: "Sheet1" },
        query: { ...written, insertDataOption: "INSERT_ROWS" },
        body: { range: "Sheet1", values: [["a"]] }
      }
    ],
    official: (at, { body, path, query }) =>
      sheetsAt(at).values.append({ ...path, ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsheets.valuesBatchUpdate,
    method: "sheets.spreadsheets.values.batchUpdate",
    inputs: [
      { path: spreadsheet, body: { valueInputOption: "RAW", data: [] } },
      {
        path: spreadsheet,
        query: everywhere,
        body: {
          ...written,
          data: [{ range: "'Jon''s Q1/Q2'!A1:B2", values: cells }, {
            range: "B1",
            majorDimension: "COLUMNS",
            values: [[1]]
          }]
        }
      }
    ],
    official: (at, { body, path, query }) =>
      sheetsAt(at).values.batchUpdate({ ...path, ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsheets.valuesClear,
    method: "sheets.spreadsheets.values.clear",
    inputs: [{ path: awkwardRange }, { path: unicodeRange, query: everywhere, body: {} }],
    official: (at, { body, path, query }) =>
      sheetsAt(at).values.clear({ ...path, ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsheets.spreadsheetsCreate,
    method: "sheets.spreadsheets.create",
    inputs: [
      {},
      { body: {} },
      {
        query: { fields: "spreadsheetId,spreadsheetUrl" },
        body: {
          properties: { title: "Jon's \"Q1/Q2\" ü", locale: "de_CH", timeZone: "Europe/Zurich" },
          sheets: [{
            properties: { sheetId: 0, title: "Größe", gridProperties: { rowCount: 10, frozenRowCount: 1 } },
            data: [{
              startRow: 0,
              rowData: [{
                values: [{
                  userEnteredValue: { stringValue: "a" },
                  userEnteredFormat: { textFormat: { bold: true, foregroundColorStyle: { rgbColor: { red: 0.5 } } } }
                }]
              }]
            }],
            developerMetadata: [{ metadataKey: "k", visibility: "DOCUMENT" }]
          }],
          namedRanges: [{ name: "all", range: { sheetId: 0, startRowIndex: 0, endRowIndex: 5 } }]
        }
      }
    ],
    official: (at, { body, query }) => sheetsAt(at).create({ ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gsheets.spreadsheetsBatchUpdate,
    method: "sheets.spreadsheets.batchUpdate",
    inputs: [{
      path: spreadsheet,
      query: everywhere,
      body: {
        includeSpreadsheetInResponse: true,
        responseIncludeGridData: false,
        responseRanges: ["'Jon''s Q1/Q2'!A1:B2"],
        requests: [
          { addSheet: { properties: { title: "Jon's Q1/Q2", tabColorStyle: { themeColor: "ACCENT1" } } } },
          { addSheet: {} },
          {
            repeatCell: {
              range: { sheetId: 0, endRowIndex: 1 },
              cell: { userEnteredFormat: { textFormat: { bold: true } } },
              fields: "userEnteredFormat.textFormat.bold"
            }
          },
          { findReplace: { find: "a", replacement: "ü", allSheets: true } },
          { updateSheetProperties: { properties: { sheetId: 0, hidden: true }, fields: "hidden" } },
          {
            sortRange: {
              range: { sheetId: 0 },
              sortSpecs: [{ dimensionIndex: 0, sortOrder: "DESCENDING" }]
            }
          },
          {
            setDataValidation: {
              range: { sheetId: 0 },
              rule: {
                condition: { type: "ONE_OF_LIST", values: [{ userEnteredValue: "yes" }, { userEnteredValue: "no" }] },
                strict: true
              }
            }
          },
          { setBasicFilter: { filter: { criteria: { "0": { hiddenValues: ["x"] } } } } },
          {
            addChart: {
              chart: {
                spec: {
                  title: "Ü",
                  basicChart: {
                    chartType: "LINE",
                    domains: [{ domain: { sourceRange: { sources: [{ sheetId: 0, startColumnIndex: 0 }] } } }]
                  }
                },
                position: { newSheet: true }
              }
            }
          },
          {
            addConditionalFormatRule: {
              index: 0,
              rule: {
                ranges: [{ sheetId: 0 }],
                booleanRule: {
                  condition: { type: "DATE_BEFORE", values: [{ relativeDate: "TODAY" }] },
                  format: { backgroundColor: { red: 1 } }
                }
              }
            }
          },
          { deleteSheet: { sheetId: 2_147_483_647 } }
        ]
      }
    }],
    official: (at, { body, path, query }) =>
      sheetsAt(at).batchUpdate({ ...path, ...plain(query), requestBody: plain(body) })
  }
]

const document = { documentId: "1qY_document-id" }
const docsAt = (at: string) => docs({ version: "v1", rootUrl: at }).documents
const gdocsRows: ReadonlyArray<Omit<Calls, "origin">> = [
  {
    endpoint: gdocs.documentsGet,
    method: "docs.documents.get",
    inputs: [
      { path: document },
      { path: { documentId: "…/ü?#" }, query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" } },
      { path: document, query: { fields: "title,tabs(documentTab(body.content(paragraph))),revisionId" } }
    ],
    official: (at, { path, query }) => docsAt(at).get({ ...path, ...plain(query) })
  },
  {
    endpoint: gdocs.documentsCreate,
    method: "docs.documents.create",
    inputs: [{}, { body: {} }, { query: everywhere, body: { title: "Jon's \"Q1/Q2\" 🚀" } }],
    official: (at, { body, query }) => docsAt(at).create({ ...plain(query), requestBody: plain(body) })
  },
  {
    endpoint: gdocs.documentsBatchUpdate,
    method: "docs.documents.batchUpdate",
    inputs: [
      {
        path: document,
        body: { requests: [{ insertText: { text: "a\n", endOfSegmentLocation: {} } }] }
      },
      {
        path: document,
        query: everywhere,
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
              createParagraphBullets: { range: { startIndex: 1, endIndex: 5 }, bulletPreset: "NUMBERED_DECIMAL_NESTED" }
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
            { insertTable: { rows: 2, columns: 3, location: { index: 1 } } },
            { insertPageBreak: { endOfSegmentLocation: { segmentId: "" } } },
            { replaceNamedRangeContent: { namedRangeName: "ü", text: "b" } },
            {
              updateTableCellStyle: {
                tableStartLocation: { index: 2 },
                tableCellStyle: { rowSpan: 1 },
                fields: "*"
              }
            },
            { createHeader: { type: "DEFAULT" } }
          ]
        }
      }
    ],
    official: (at, { body, path, query }) =>
      docsAt(at).batchUpdate({ ...path, ...plain(query), requestBody: plain(body) })
  }
]

const of = (origin: GoogleOrigin, rows: ReadonlyArray<Omit<Calls, "origin">>) => rows.map((row) => ({ ...row, origin }))

/** Every endpoint of the Google providers, each called in plain and in awkward ways. */
export const googleCalls: ReadonlyArray<Calls> = [
  ...of("gsc", gscRows),
  ...ga4Rows,
  ...of("gsheets", gsheetsRows),
  ...of("gdocs", gdocsRows)
]
