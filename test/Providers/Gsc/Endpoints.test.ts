import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  searchanalyticsQuery,
  sitemapsGet,
  sitesGet,
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
    [{ path, body: {} }, "body"]
  ])
  refuses(sitemapsGet, [
    [{ path: { ...path, feedpath: "sitemap.xml" } }, "path.feedpath"]
  ])

  const pages: ReadonlyArray<readonly [siteUrl: string, inspectionUrl: string]> = [
    ["https://www.example.com/", "http://www.example.com/a"],
    ["https://www.example.com/blog/", "https://www.example.com/a"],
    ["sc-domain:example.com", "https://notexample.com/"]
  ]
  refuses(
    urlInspectionIndexInspect,
    pages.map(([siteUrl, inspectionUrl]) => [{ body: { siteUrl, inspectionUrl } }, "body.inspectionUrl"])
  )

  const reports: ReadonlyArray<readonly [why: string, body: object, at: string]> = [
    ["the end is before the start", { endDate: "2026-07-31" }, "startDate"],
    ["a day does not exist", { startDate: "2026-02-30" }, "startDate"],
    ["a month does not exist", { endDate: "2026-13-01" }, "endDate"],
    ["the row limit is too high", { rowLimit: 25_001 }, "rowLimit"],
    ["the first row is negative", { startRow: -1 }, "startRow"],
    ["a dimension is unknown", { dimensions: ["url"] }, "dimensions.0"],
    ["a dimension appears twice", { dimensions: ["page", "PAGE"] }, "dimensions"],
    ["hour is used with another data state", { dimensions: ["hour"], dataState: "all" }, "dataState"],
    ["hour is used without a data state", { dimensions: ["hour"] }, "dataState"],
    ["date and hour are combined", { dimensions: ["date", "hour"], dataState: "hourly_all" }, "dimensions"],
    ["the type is unknown", { type: "shopping" }, "type"],
    ["discover is grouped by query", { type: "discover", dimensions: ["page", "query"] }, "dimensions.1"],
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
    ]
  ]
  refuses(
    searchanalyticsQuery,
    reports.map(([why, body, at]) => [{ path, body: { ...report, ...body } }, `body.${at}`, `a report when ${why}`])
  )
})
