import { assert, describe, it } from "@effect/vitest"
import { propertiesRunRealtimeReport, propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { findIssues } from "../../support/EndpointSuite.ts"
import { cohorts, days, exact, many, path, realtime, report } from "./Reports.ts"

describe("Analytics report rules", () => {
  it.each([
    { why: "there is no date range", body: { dateRanges: undefined }, at: ["dateRanges"] },
    { why: "the list of date ranges is empty", body: { dateRanges: [] }, at: ["dateRanges"] },
    {
      why: "there are five date ranges",
      body: { dateRanges: Array.from({ length: 5 }, () => days.dateRanges[0]) },
      at: ["dateRanges"]
    },
    { why: "cohorts are combined with date ranges", body: cohorts, at: ["dateRanges"] },
    {
      why: "cohorts lack the cohort dimension",
      body: { ...cohorts, dateRanges: undefined, dimensions: [{ name: "city" }] },
      at: ["dimensions"]
    },
    { why: "there are no metrics", body: { metrics: undefined }, at: [] },
    { why: "the list of metrics is empty", body: { metrics: [] }, at: [] },
    { why: "there are ten dimensions", body: { dimensions: many(10) }, at: ["dimensions"] },
    { why: "there are eleven metrics", body: { metrics: many(11) }, at: ["metrics"] },
    { why: "the limit is zero", body: { limit: 0 }, at: ["limit"] },
    { why: "the limit is negative", body: { limit: "-1" }, at: ["limit"] },
    { why: "the limit is not an integer", body: { limit: 1.5 }, at: ["limit"] },
    { why: "the offset is negative", body: { offset: -1 }, at: ["offset"] },
    { why: "the offset is not a number", body: { offset: "ten" }, at: ["offset"] },
    { why: "a name is in snake_case", body: { keep_empty_rows: true }, at: ["keep_empty_rows"] },
    { why: "the property differs from the path", body: { property: "properties/1" }, at: ["property"] },
    { why: "an aggregation is unknown", body: { metricAggregations: ["MEAN"] }, at: ["metricAggregations", 0] }
  ])("refuses a report when $why", ({ at, body }) => {
    const input = JSON.parse(JSON.stringify({ path, body: { ...report, ...body } }))
    assert.deepStrictEqual(findIssues(propertiesRunReport, input).map(({ path }) => path), [["input", "body", ...at]])
  })

  it.each([
    { range: { startDate: "2026-02-30", endDate: "today" }, at: ["startDate"] },
    { range: { startDate: "2026-1-1", endDate: "today" }, at: ["startDate"] },
    { range: { startDate: "7 daysAgo", endDate: "today" }, at: ["startDate"] },
    { range: { startDate: "7daysAgo", endDate: "Today" }, at: ["endDate"] },
    { range: { startDate: "today" }, at: ["endDate"] },
    { range: { startDate: "2026-08-02", endDate: "2026-08-01" }, at: ["endDate"] },
    { range: { startDate: "7daysAgo", endDate: "8daysAgo" }, at: ["endDate"] },
    { range: { startDate: "today", endDate: "yesterday" }, at: ["endDate"] },
    { range: { startDate: "today", endDate: "today", name: "date_range_1" }, at: ["name"] },
    { range: { startDate: "today", endDate: "today", name: "RESERVED_x" }, at: ["name"] }
  ])("refuses the date range $range", ({ at, range }) => {
    assert.deepStrictEqual(
      findIssues(propertiesRunReport, { path, body: { ...report, dateRanges: [range] } }).map(({ path }) => path),
      [["input", "body", "dateRanges", 0, ...at]]
    )
  })

  it.each([
    { filter: {}, at: [] },
    { filter: { ...exact("a"), notExpression: exact("b") }, at: [] },
    { filter: { filter: { stringFilter: { value: "a" } } }, at: ["filter", "fieldName"] },
    { filter: { filter: { fieldName: "country" } }, at: ["filter"] },
    {
      filter: { filter: { fieldName: "country", stringFilter: { value: "a" }, emptyFilter: {} } },
      at: ["filter"]
    },
    { filter: { filter: { fieldName: "country", emptyFilter: { a: 1 } } }, at: ["filter", "emptyFilter", "a"] },
    {
      filter: { filter: { fieldName: "country", inListFilter: { values: [] } } },
      at: ["filter", "inListFilter", "values"]
    },
    {
      filter: { filter: { fieldName: "a", numericFilter: { operation: "EQUAL", value: {} } } },
      at: ["filter", "numericFilter", "value"]
    },
    {
      filter: { filter: { fieldName: "a", betweenFilter: { fromValue: { doubleValue: 1 } } } },
      at: ["filter", "betweenFilter", "toValue"]
    },
    {
      filter: { andGroup: { expressions: [exact("a"), { orGroup: { expressions: [{ filter: {} }] } }] } },
      at: ["andGroup", "expressions", 1, "orGroup", "expressions", 0, "filter", "fieldName"]
    }
  ])("refuses the filter $filter", ({ at, filter }) => {
    for (const field of ["dimensionFilter", "metricFilter"]) {
      assert.deepStrictEqual(
        findIssues(propertiesRunReport, { path, body: { ...report, [field]: filter } }).map(({ path }) => path),
        [["input", "body", field, ...at]]
      )
    }
  })

  it.each([
    { body: { orderBys: [{ desc: true }] }, at: ["orderBys", 0] },
    { body: { orderBys: [{ metric: {}, dimension: {} }] }, at: ["orderBys", 0] },
    { body: { metrics: [{}] }, at: ["metrics", 0] },
    { body: { metrics: [{ name: "per user", expression: "a/b" }] }, at: ["metrics", 0, "name"] },
    { body: { dimensions: [{}] }, at: ["dimensions", 0] },
    { body: { dimensions: ["city"] }, at: ["dimensions", 0] },
    {
      body: { dimensions: [{ name: "a", dimensionExpression: {} }] },
      at: ["dimensions", 0, "dimensionExpression"]
    },
    { body: { comparisons: [{ name: "a" }] }, at: ["comparisons", 0] }
  ])("refuses a report with $body", ({ at, body }) => {
    assert.deepStrictEqual(
      findIssues(propertiesRunReport, { path, body: { ...report, ...body } }).map(({ path }) => path),
      [["input", "body", ...at]]
    )
  })

  it.each([
    { body: days, at: ["dateRanges"] },
    { body: { offset: 1 }, at: ["offset"] },
    { body: { cohortSpec: {} }, at: ["cohortSpec"] },
    { body: { minuteRanges: [{}, {}, {}] }, at: ["minuteRanges"] },
    { body: { minuteRanges: [{ startMinutesAgo: 60 }] }, at: ["minuteRanges", 0, "startMinutesAgo"] },
    { body: { minuteRanges: [{ endMinutesAgo: -1 }] }, at: ["minuteRanges", 0, "endMinutesAgo"] },
    { body: { minuteRanges: [{ endMinutesAgo: 30 }] }, at: ["minuteRanges", 0, "endMinutesAgo"] },
    {
      body: { minuteRanges: [{ startMinutesAgo: 5, endMinutesAgo: 6 }] },
      at: ["minuteRanges", 0, "endMinutesAgo"]
    }
  ])("refuses a realtime report with $body", ({ at, body }) => {
    assert.deepStrictEqual(
      findIssues(propertiesRunRealtimeReport, { path, body: { ...realtime, ...body } }).map(({ path }) => path),
      [["input", "body", ...at]]
    )
  })
})
