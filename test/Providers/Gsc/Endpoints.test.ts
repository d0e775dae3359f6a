import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  searchanalyticsQuery,
  sitemapsGet,
  sitemapsList,
  sitesGet,
  sitesList,
  urlInspectionIndexInspect
} from "../../../src/Providers/Gsc/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"

const path = { siteUrl: "sc-domain:example.com" }
const report = { startDate: "2026-08-01", endDate: "2026-08-31" }
const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })

describe("Search Console endpoints", () => {
  it("add nothing to the input and send the canonical spelling", () => {
    const sent = (body: object) => Result.getOrThrow(validator(searchanalyticsQuery.input)({ path, body }))
    assert.deepStrictEqual<unknown>(sent(report), { path, body: report })
    assert.deepStrictEqual<unknown>(
      sent({ ...report, searchType: "NEWS", dataState: "HOURLY_ALL", dimensions: ["HOUR"] }),
      { path, body: { ...report, searchType: "news", dataState: "hourly_all", dimensions: ["hour"] } }
    )
  })

  refuses(sitesGet, [
    [{ path: { siteUrl: "https://example.com" } }, "path.siteUrl"],
    [{ path: { siteUrl: "example.com" } }, "path.siteUrl"],
    [{ path: { siteUrl: "sc-domain:https://example.com/" } }, "path.siteUrl"],
    [{ path: { siteUrl: ".." } }, "path.siteUrl"],
    [{ path, body: {} }, "body"]
  ])
  refuses(sitesList, [[{ path: {} }, "path"]])
  refuses(sitemapsGet, [
    [{ path: { ...path, feedpath: "sitemap.xml" } }, "path.feedpath"],
    [{ path: { ...path, feedpath: "." } }, "path.feedpath"]
  ])
  refuses(sitemapsList, [[{ path, query: { sitemapIndex: "/i.xml" } }, "query.sitemapIndex"]])

  const pages: ReadonlyArray<readonly [siteUrl: string, inspectionUrl: string]> = [
    ["https://www.example.com/", "http://www.example.com/a"],
    ["https://www.example.com/blog/", "https://www.example.com/a"],
    ["sc-domain:example.com", "https://notexample.com/"],
    ["https://www.example.com/", "/a"]
  ]
  refuses(
    urlInspectionIndexInspect,
    pages.map(([siteUrl, inspectionUrl]) => [{ body: { siteUrl, inspectionUrl } }, "body.inspectionUrl"])
  )

  const reports: ReadonlyArray<readonly [why: string, body: object, at: string]> = [
    ["the end is before the start", { endDate: "2026-07-31" }, "startDate"],
    ["a day does not exist", { startDate: "2026-02-30" }, "startDate"],
    ["the year is not a leap year", { startDate: "2023-02-29" }, "startDate"],
    ["the century is not a leap year", { startDate: "1900-02-29" }, "startDate"],
    ["a month does not exist", { endDate: "2026-13-01" }, "endDate"],
    ["a date has a time", { endDate: "2026-08-31T00:00:00Z" }, "endDate"],
    ["a date is relative", { endDate: "yesterday" }, "endDate"],
    ["the row limit is 0", { rowLimit: 0 }, "rowLimit"],
    ["the row limit is too high", { rowLimit: 25_001 }, "rowLimit"],
    ["the first row is negative", { startRow: -1 }, "startRow"],
    ["a dimension is unknown", { dimensions: ["url"] }, "dimensions.0"],
    ["a dimension appears twice", { dimensions: ["page", "PAGE"] }, "dimensions"],
    ["searchAppearance is combined with another dimension", { dimensions: ["searchAppearance", "page"] }, "dimensions"],
    ["hour is used with another data state", { dimensions: ["hour"], dataState: "all" }, "dataState"],
    ["hour is used without a data state", { dimensions: ["hour"] }, "dataState"],
    ["hourly_all is used without hour", { dimensions: ["query"], dataState: "hourly_all" }, "dimensions"],
    ["date and hour are combined", { dimensions: ["date", "hour"], dataState: "hourly_all" }, "dimensions"],
    ["the type is unknown", { type: "shopping" }, "type"],
    ["discover is grouped by query", { type: "discover", dimensions: ["page", "query"] }, "dimensions.1"],
    ["googleNews is grouped by query", { searchType: "GOOGLE_NEWS", dimensions: ["query"] }, "dimensions.0"],
    ["byProperty is grouped by page", { aggregationType: "byProperty", dimensions: ["page"] }, "aggregationType"],
    ["byProperty is filtered by page", {
      aggregationType: "BY_PROPERTY",
      ...filtered({ dimension: "PAGE", expression: "a" })
    }, "aggregationType"],
    ["byProperty is used for discover", { aggregationType: "byProperty", type: "discover" }, "aggregationType"],
    [
      "the news showcase has no filter",
      { aggregationType: "byNewsShowcasePanel", type: "discover" },
      "aggregationType"
    ],
    [
      "the news showcase is used for web search",
      { aggregationType: "byNewsShowcasePanel", ...filtered(showcase) },
      "aggregationType"
    ],
    ["the news showcase is grouped by page", {
      aggregationType: "byNewsShowcasePanel",
      type: "discover",
      dimensions: ["page"],
      ...filtered(showcase)
    }, "aggregationType"],
    [
      "filters are combined with or",
      { dimensionFilterGroups: [{ groupType: "or" }] },
      "dimensionFilterGroups.0.groupType"
    ],
    [
      "a filter uses date",
      filtered({ dimension: "date", expression: "2026-08-01" }),
      "dimensionFilterGroups.0.filters.0.dimension"
    ],
    [
      "an expression is too long",
      filtered({ dimension: "query", expression: "a".repeat(4097) }),
      "dimensionFilterGroups.0.filters.0.expression"
    ],
    [
      "a filter has no expression",
      filtered({ dimension: "query", operator: "equals" }),
      "dimensionFilterGroups.0.filters.0.expression"
    ],
    ["a field is unknown", { orderBy: "clicks" }, "orderBy"]
  ]
  refuses(
    searchanalyticsQuery,
    reports.map(([why, body, at]) => [{ path, body: { ...report, ...body } }, `body.${at}`, `a report when ${why}`])
  )
})
