import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { searchanalyticsQuery } from "../../../src/Providers/Gsc/Endpoints.ts"

const path = { siteUrl: "sc-domain:example.com" }
const report = { startDate: "2026-08-01", endDate: "2026-08-31" }
const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })

describe("Search Console report rules", () => {
  it.each([
    { why: "the end is before the start", body: { endDate: "2026-07-31" }, at: ["startDate"] },
    { why: "a day does not exist", body: { startDate: "2026-02-30" }, at: ["startDate"] },
    { why: "the year is not a leap year", body: { startDate: "2023-02-29" }, at: ["startDate"] },
    { why: "the century is not a leap year", body: { startDate: "1900-02-29" }, at: ["startDate"] },
    { why: "a month does not exist", body: { endDate: "2026-13-01" }, at: ["endDate"] },
    { why: "a date has a time", body: { endDate: "2026-08-31T00:00:00Z" }, at: ["endDate"] },
    { why: "a date is relative", body: { endDate: "yesterday" }, at: ["endDate"] },
    { why: "the row limit is 0", body: { rowLimit: 0 }, at: ["rowLimit"] },
    { why: "the row limit is too high", body: { rowLimit: 25_001 }, at: ["rowLimit"] },
    { why: "the first row is negative", body: { startRow: -1 }, at: ["startRow"] },
    { why: "a dimension is unknown", body: { dimensions: ["url"] }, at: ["dimensions", 0] },
    { why: "a dimension appears twice", body: { dimensions: ["page", "PAGE"] }, at: ["dimensions"] },
    {
      why: "searchAppearance is combined with another dimension",
      body: { dimensions: ["searchAppearance", "page"] },
      at: ["dimensions"]
    },
    {
      why: "hour is used with another data state",
      body: { dimensions: ["hour"], dataState: "all" },
      at: ["dataState"]
    },
    { why: "hour is used without a data state", body: { dimensions: ["hour"] }, at: ["dataState"] },
    {
      why: "hourly_all is used without hour",
      body: { dimensions: ["query"], dataState: "hourly_all" },
      at: ["dimensions"]
    },
    {
      why: "date and hour are combined",
      body: { dimensions: ["date", "hour"], dataState: "hourly_all" },
      at: ["dimensions"]
    },
    { why: "the type is unknown", body: { type: "shopping" }, at: ["type"] },
    {
      why: "discover is grouped by query",
      body: { type: "discover", dimensions: ["page", "query"] },
      at: ["dimensions", 1]
    },
    {
      why: "googleNews is grouped by query",
      body: { searchType: "GOOGLE_NEWS", dimensions: ["query"] },
      at: ["dimensions", 0]
    },
    {
      why: "byProperty is grouped by page",
      body: { aggregationType: "byProperty", dimensions: ["page"] },
      at: ["aggregationType"]
    },
    {
      why: "byProperty is filtered by page",
      body: { aggregationType: "BY_PROPERTY", ...filtered({ dimension: "PAGE", expression: "a" }) },
      at: ["aggregationType"]
    },
    {
      why: "byProperty is used for discover",
      body: { aggregationType: "byProperty", type: "discover" },
      at: ["aggregationType"]
    },
    {
      why: "the news showcase has no filter",
      body: { aggregationType: "byNewsShowcasePanel", type: "discover" },
      at: ["aggregationType"]
    },
    {
      why: "the news showcase is used for web search",
      body: { aggregationType: "byNewsShowcasePanel", ...filtered(showcase) },
      at: ["aggregationType"]
    },
    {
      why: "the news showcase is grouped by page",
      body: { aggregationType: "byNewsShowcasePanel", type: "discover", dimensions: ["page"], ...filtered(showcase) },
      at: ["aggregationType"]
    },
    {
      why: "filters are combined with or",
      body: { dimensionFilterGroups: [{ groupType: "or" }] },
      at: ["dimensionFilterGroups", 0, "groupType"]
    },
    {
      why: "a filter uses date",
      body: filtered({ dimension: "date", expression: "2026-08-01" }),
      at: ["dimensionFilterGroups", 0, "filters", 0, "dimension"]
    },
    {
      why: "an expression is too long",
      body: filtered({ dimension: "query", expression: "a".repeat(4097) }),
      at: ["dimensionFilterGroups", 0, "filters", 0, "expression"]
    },
    {
      why: "a filter has no expression",
      body: filtered({ dimension: "query", operator: "equals" }),
      at: ["dimensionFilterGroups", 0, "filters", 0, "expression"]
    },
    { why: "a field is unknown", body: { orderBy: "clicks" }, at: ["orderBy"] }
  ])("refuses a report when $why", ({ at, body }) => {
    const result = validator(searchanalyticsQuery.input, ["input"])({ path, body: { ...report, ...body } })
    assert.deepStrictEqual(
      Option.getOrThrow(Result.getFailure(result)).map(({ path }) => path),
      [["input", "body", ...at]]
    )
  })
})
