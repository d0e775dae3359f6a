import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import * as ga4 from "../../src/Providers/Ga4/Endpoints.ts"
import * as gdocs from "../../src/Providers/Gdocs/Endpoints.ts"
import * as gsc from "../../src/Providers/Gsc/Endpoints.ts"
import * as gsheets from "../../src/Providers/Gsheets/Endpoints.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import * as sitesearch from "../../src/Providers/Sitesearch/Endpoints.ts"
import { refuses } from "../support/EndpointSuite.ts"
import { cohorts, days, exact, many, path, realtime, report } from "./Ga4/Reports.ts"

type Wrong = ReadonlyArray<readonly [wrong: object, at: string]>

/** Bodies that differ from an accepted one by this. */
const refusesBodies = (endpoint: RawEndpoint, input: { readonly path: object; readonly body: object }, cases: Wrong) =>
  refuses(
    endpoint,
    cases.map(([wrong, at]) => [
      { ...input, body: { ...input.body, ...wrong } },
      `body${at}`,
      JSON.stringify(wrong).slice(0, 100)
    ])
  )

/** A request after one that is accepted. */
const refusesRequests = (endpoint: RawEndpoint, path: object, accepted: object, cases: Wrong) =>
  refuses(
    endpoint,
    cases.map(([wrong, at]) => [
      { path, body: { requests: [accepted, wrong] } },
      `body.requests.1${at}`,
      JSON.stringify(wrong)
    ])
  )

const decoded = (endpoint: RawEndpoint, input: unknown) => Result.getOrThrow(validator(endpoint.input)(input))

const ranges = (...dateRanges: ReadonlyArray<object>) => ({ dateRanges })
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })

const readBySitesearch = (sent: string): unknown =>
  sent.replace(/^[\s\u0085]+/, "").startsWith("\"") ? JSON.parse(sent) : sent

describe("Analytics", () => {
  it.each([
    { endpoint: ga4.propertiesGetMetadata, rest: {} },
    { endpoint: ga4.propertiesRunReport, rest: { body: report } },
    { endpoint: ga4.propertiesRunRealtimeReport, rest: { body: realtime } }
  ])("$endpoint.id: accepts a property as a number or as a resource name", ({ endpoint, rest }) => {
    for (const property of ["123456789", "properties/123456789"]) {
      assert.deepStrictEqual<unknown>(decoded(endpoint, { path: { property }, ...rest }), { path, ...rest })
    }
  })

  const noProperties = ["", 123456789, "1 2", ..."G-ABC123 accounts/1 properties/ properties/1/metadata ..".split(" ")]
  refuses(ga4.propertiesGetMetadata, noProperties.map((property) => [{ path: { property } }, "path.property"]))

  const filters = ".dimensionFilter.andGroup.expressions.1.orGroup.expressions.0.filter"
  refusesBodies(ga4.propertiesRunReport, { path, body: report }, [
    [{ dateRanges: undefined }, ".dateRanges"],
    [ranges(...Array.from({ length: 5 }, () => ({ startDate: "today", endDate: "today" }))), ".dateRanges"],
    [ranges({ startDate: "2026-02-30", endDate: "today" }), ".dateRanges.0.startDate"],
    [ranges({ startDate: "7 daysAgo", endDate: "today" }), ".dateRanges.0.startDate"],
    [ranges({ startDate: "2026-08-02", endDate: "2026-08-01" }), ".dateRanges.0.endDate"],
    [ranges({ startDate: "7daysAgo", endDate: "8daysAgo" }), ".dateRanges.0.endDate"],
    [ranges({ startDate: "today", endDate: "today", name: "date_range_1" }), ".dateRanges.0.name"],
    [cohorts, ".dateRanges"],
    [{ ...cohorts, dateRanges: undefined, dimensions: [{ name: "city" }] }, ".dimensions"],
    [{ metrics: undefined }, ""],
    [{ metrics: many(11) }, ".metrics"],
    [{ metrics: [{ name: "per user", expression: "a/b" }] }, ".metrics.0.name"],
    [
      { dimensions: [{ name: "a b", dimensionExpression: { lowerCase: { dimensionName: "c" } } }] },
      ".dimensions.0.name"
    ],
    [{ limit: 0 }, ".limit"],
    [{ offset: -1 }, ".offset"],
    [{ property: "properties/1" }, ".property"],
    [{ metricAggregations: ["MEAN"] }, ".metricAggregations.0"],
    [{ orderBys: [{ metric: {}, dimension: {} }] }, ".orderBys.0"],
    [{ dimensionFilter: { ...exact("a"), notExpression: exact("b") } }, ".dimensionFilter"],
    [{ metricFilter: { filter: { fieldName: "country" } } }, ".metricFilter.filter"],
    [
      { dimensionFilter: { andGroup: { expressions: [exact("a"), { orGroup: { expressions: [{ filter: {} }] } }] } } },
      `${filters}.fieldName`
    ]
  ])

  refusesBodies(ga4.propertiesRunRealtimeReport, { path, body: realtime }, [
    [days, ".dateRanges"],
    [{ minuteRanges: [{}, {}, {}] }, ".minuteRanges"],
    [{ minuteRanges: [{ startMinutesAgo: 60 }] }, ".minuteRanges.0.startMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: 30 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ startMinutesAgo: 5, endMinutesAgo: 6 }] }, ".minuteRanges.0.endMinutesAgo"]
  ])
})

describe("Search Console", () => {
  const path = { siteUrl: "sc-domain:example.com" }
  const report = { startDate: "2026-08-01", endDate: "2026-08-31" }
  const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
  const filter = ".dimensionFilterGroups.0.filters.0"

  it("adds nothing to the input and sends the canonical spelling", () => {
    const sent = (body: object) => decoded(gsc.searchanalyticsQuery, { path, body })
    assert.deepStrictEqual<unknown>(sent(report), { path, body: report })
    assert.deepStrictEqual<unknown>(
      sent({ ...report, searchType: "NEWS", dataState: "HOURLY_ALL", dimensions: ["HOUR"] }),
      { path, body: { ...report, searchType: "news", dataState: "hourly_all", dimensions: ["hour"] } }
    )
  })

  refuses(gsc.sitesGet, [
    [{ path: { siteUrl: "https://example.com" } }, "path.siteUrl"],
    [{ path: { siteUrl: "example.com" } }, "path.siteUrl"],
    [{ path, body: {} }, "body"]
  ])
  refuses(gsc.sitemapsGet, [[{ path: { ...path, feedpath: "sitemap.xml" } }, "path.feedpath"]])

  const pages = [
    ["https://www.example.com/", "http://www.example.com/a"],
    ["https://www.example.com/blog/", "https://www.example.com/a"],
    ["sc-domain:example.com", "https://notexample.com/"]
  ]
  refuses(
    gsc.urlInspectionIndexInspect,
    pages.map(([siteUrl, inspectionUrl]) => [{ body: { siteUrl, inspectionUrl } }, "body.inspectionUrl"])
  )

  refusesBodies(gsc.searchanalyticsQuery, { path, body: report }, [
    [{ endDate: "2026-07-31" }, ".startDate"],
    [{ startDate: "2026-02-30" }, ".startDate"],
    [{ endDate: "2026-13-01" }, ".endDate"],
    [{ rowLimit: 25_001 }, ".rowLimit"],
    [{ startRow: -1 }, ".startRow"],
    [{ dimensions: ["url"] }, ".dimensions.0"],
    [{ dimensions: ["page", "PAGE"] }, ".dimensions"],
    [{ dimensions: ["hour"], dataState: "all" }, ".dataState"],
    [{ dimensions: ["hour"] }, ".dataState"],
    [{ dimensions: ["date", "hour"], dataState: "hourly_all" }, ".dimensions"],
    [{ type: "shopping" }, ".type"],
    [{ type: "discover", dimensions: ["page", "query"] }, ".dimensions.1"],
    [{ aggregationType: "byProperty", dimensions: ["page"] }, ".aggregationType"],
    [{ aggregationType: "BY_PROPERTY", ...filtered({ dimension: "PAGE", expression: "a" }) }, ".aggregationType"],
    [{ aggregationType: "byProperty", type: "discover" }, ".aggregationType"],
    [{ aggregationType: "byNewsShowcasePanel", type: "discover" }, ".aggregationType"],
    [{ aggregationType: "byNewsShowcasePanel", ...filtered(showcase) }, ".aggregationType"],
    [{ dimensionFilterGroups: [{ groupType: "or" }] }, ".dimensionFilterGroups.0.groupType"],
    [filtered({ dimension: "date", expression: "2026-08-01" }), `${filter}.dimension`],
    [filtered({ dimension: "query", expression: "a".repeat(4097) }), `${filter}.expression`]
  ])
})

describe("Spreadsheets", () => {
  const path = { spreadsheetId: "1a-b_C" }
  const at = { ...path, range: "Sheet1!A1:B2" }
  const query = { valueInputOption: "RAW" }

  refuses(gsheets.spreadsheetsGet, [
    [{ path: { spreadsheetId: "" } }, "path.spreadsheetId"],
    [{ path, query: { ranges: ["A1", ""] } }, "query.ranges.1"]
  ])
  refuses(gsheets.valuesUpdate, [
    [{ path: at, query: {}, body: { values: [] } }, "query.valueInputOption"],
    [{ path: at, query, body: { values: [["a"], [["b"]]] } }, "body.values.1.0"],
    [{ path: at, query, body: { values: [[{ v: 1 }]] } }, "body.values.0.0"],
    [{ path: at, query, body: { range: "Sheet1!A1", values: [] } }, "body.range"]
  ])
  refuses(gsheets.valuesAppend, [[{ path: at, query, body: { range: "sheet1!A1:B2", values: [] } }, "body.range"]])
  refuses(gsheets.valuesBatchUpdate, [
    [{ path, query, body: query }, "query.valueInputOption"],
    [{ path, body: { ...query, data: [{ values: [] }] } }, "body.data.0.range"]
  ])
  refuses(gsheets.valuesClear, [[{ path: at, body: { range: "A1" } }, "body.range"]])
  refusesRequests(gsheets.spreadsheetsBatchUpdate, path, { addSheet: {} }, [
    [{}, ""],
    [{ insertComment: { content: "a" } }, ".insertComment"],
    [{ addSheet: { properties: { sheetId: 2 ** 31 } } }, ".addSheet.properties.sheetId"],
    [{ appendDimension: { length: 1.5 } }, ".appendDimension.length"],
    [{ repeatCell: { range: { sheetId: 0 }, cell: {} } }, ".repeatCell.fields"],
    [{ findReplace: { find: "a" } }, ".findReplace"],
    [{ autoFill: { range: { sheetId: 0 }, sourceAndDestination: {} } }, ".autoFill"],
    [{ setBasicFilter: { filter: { criteria: { A: {} } } } }, ".setBasicFilter.filter.criteria.A"],
    [{ updateDeveloperMetadata: { dataFilters: [], fields: "*" } }, ".updateDeveloperMetadata.dataFilters"]
  ])
})

describe("Documents", () => {
  const path = { documentId: "1a-b_C" }
  const range = { startIndex: 1, endIndex: 5 }
  const insertText = { insertText: { text: "a", location: { index: 1 } } }

  it("are created and read with only what the caller sent", () => {
    assert.deepStrictEqual<unknown>(decoded(gdocs.documentsCreate, {}), {})
    assert.deepStrictEqual<unknown>(decoded(gdocs.documentsGet, { path }), { path })
  })

  refuses(gdocs.documentsGet, [
    [{ path: { documentId: "" } }, "path.documentId"],
    [{ path, query: { suggestionsViewMode: "INLINE" } }, "query.suggestionsViewMode"]
  ])
  refuses(gdocs.documentsCreate, [[{ body: { documentId: "a" } }, "body.documentId"]])
  refusesBodies(gdocs.documentsBatchUpdate, { path, body: { requests: [insertText] } }, [
    [{ requests: [] }, ".requests"],
    [{ writeControl: { requiredRevisionId: "a", targetRevisionId: "b" } }, ".writeControl"],
    [{ writeControl: { writeMode: "SUGGEST" } }, ".writeControl.writeMode"]
  ])
  refusesRequests(gdocs.documentsBatchUpdate, path, insertText, [
    [{}, ""],
    [{ ...insertText, deleteContentRange: { range } }, ""],
    [{ insertText: { text: "a" } }, ".insertText"],
    [{ insertText: { text: "a", location: { index: -1 } } }, ".insertText.location.index"],
    [{ deleteContentRange: { range: { startIndex: 1 } } }, ".deleteContentRange.range.endIndex"],
    [{ createNamedRange: { name: "", range } }, ".createNamedRange.name"],
    [{ createNamedRange: { name: "🚀".repeat(129), range } }, ".createNamedRange.name"],
    [{ updateTextStyle: { textStyle: {}, range, fields: "" } }, ".updateTextStyle.fields"],
    [{ updateTableCellStyle: { fields: "*" } }, ".updateTableCellStyle"]
  ])
})

describe("Site search", () => {
  const siteUrl = "https://example.com/"

  it.each([
    { value: "python", sent: "python" },
    { value: "say \"cheese\"", sent: "say \"cheese\"" },
    { value: "\"exact phrase\"", sent: "\"\\\"exact phrase\\\"\"" },
    { value: "\"", sent: "\"\\\"\"" },
    { value: " \t\"a\\b\"", sent: "\" \\t\\\"a\\\\b\\\"\"" },
    { value: "“typographic”", sent: "“typographic”" }
  ])("sends the query $value as $sent, which the provider reads as $value", ({ sent, value }) => {
    const input = decoded(sitesearch.getQueryTrafficStats, { query: { siteUrl, query: value } })
    assert.deepStrictEqual<unknown>(input, { query: { siteUrl, query: sent } })
    assert.strictEqual(readBySitesearch(sent), value)
  })

  refuses(sitesearch.getQueryStats, [
    [{ query: { siteUrl: "" } }, "query.siteUrl"],
    [{ query: { siteurl: siteUrl, siteUrl } }, "query.siteurl"]
  ])
  refuses(sitesearch.submitUrl, [
    [{ body: { siteUrl, url: "/url1.html" } }, "body.url"],
    [{ body: { siteUrl, url: "https://" } }, "body.url"]
  ])
  refuses(sitesearch.submitUrlBatch, [
    [{ body: { siteUrl, urlList: [] } }, "body.urlList"],
    [{ body: { siteUrl, urlList: Array.from({ length: 501 }, () => "http://example.com/") } }, "body.urlList"],
    [{ body: { siteUrl, urlList: ["http://a/", "b"] } }, "body.urlList.1"]
  ])
})
