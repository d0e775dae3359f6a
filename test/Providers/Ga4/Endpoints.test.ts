import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation.ts"
import {
  accountSummariesList,
  ga4Endpoints,
  propertiesGetMetadata,
  propertiesRunRealtimeReport,
  propertiesRunReport
} from "../../../src/Providers/Ga4/Endpoints.ts"
import { endpointSuite, findIssues } from "../../support/EndpointSuite.ts"

const path = { property: "123456789" }
const days = { dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }] }
const report = { ...days, metrics: [{ name: "sessions" }] }
const realtime = { metrics: [{ name: "activeUsers" }] }
const cohorts = {
  dimensions: [{ name: "cohort" }],
  cohortSpec: {
    cohorts: [{ dimension: "firstSessionDate", dateRange: { startDate: "2026-08-02", endDate: "2026-08-08" } }],
    cohortsRange: { granularity: "WEEKLY", endOffset: 5 }
  }
}
const exact = (value: string) => ({ filter: { fieldName: "country", stringFilter: { value } } })
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `field${index}` }))
const nested = (depth: number): unknown => depth === 0 ? exact("a") : { notExpression: nested(depth - 1) }

describe("Analytics endpoints", () => {
  it("match the specification, and none writes", () => {
    assert.deepStrictEqual(ga4Endpoints.map(({ id, method, path, writes }) => ({ id, method, path, writes })), [
      { id: "accountSummaries.list", method: "GET", path: "/v1beta/accountSummaries", writes: false },
      {
        id: "properties.runReport",
        method: "POST",
        path: "/v1beta/properties/{property}:runReport",
        writes: false
      },
      {
        id: "properties.runRealtimeReport",
        method: "POST",
        path: "/v1beta/properties/{property}:runRealtimeReport",
        writes: false
      },
      {
        id: "properties.getMetadata",
        method: "GET",
        path: "/v1beta/properties/{property}/metadata",
        writes: false
      }
    ])
  })

  endpointSuite(ga4Endpoints, {
    betweenFields: /the property of the path|not before startDate|at most startMinutesAgo/,
    accepted: {
      "accountSummaries.list": [{ query: { pageSize: 1 } }, { query: {} }],
      "properties.runReport": [
        { path, body: { ...report, dateRanges: [{ startDate: "2024-02-29", endDate: "today" }] } },
        { path, body: { ...report, dateRanges: [{ startDate: "yesterday", endDate: "yesterday" }] } },
        { path, body: { ...report, dimensions: many(9), metrics: many(10) } },
        { path, body: { ...days, dimensions: [{ name: "city" }], metrics: [] } },
        { path, body: { ...report, property: "properties/123456789" } },
        { path: { property: "properties/0123" }, body: { ...report, property: "" } },
        { path, body: cohorts },
        { path, body: { ...cohorts, dateRanges: [] } },
        { path, body: { ...report, limit: 1_000_000, offset: "0" } },
        { path, body: { ...report, dimensionFilter: nested(50) } },
        { path, body: { ...report, comparisons: [{ name: "a", comparison: "comparisons/1234" }] } },
        { path, body: { ...report, metricAggregations: ["METRIC_AGGREGATION_UNSPECIFIED", "COUNT"] } },
        {
          path,
          body: {
            ...report,
            dimensions: [{ dimensionExpression: { lowerCase: { dimensionName: "city" } } }],
            orderBys: [{ pivot: { metricName: "a", pivotSelections: [{ dimensionName: "a", dimensionValue: "" }] } }]
          }
        }
      ],
      "properties.runRealtimeReport": [
        { path, body: { ...realtime, minuteRanges: [{ startMinutesAgo: 59, endMinutesAgo: 59 }, {}] } },
        { path, body: { ...realtime, limit: "00010" } }
      ]
    }
  })

  it.each([
    { endpoint: propertiesGetMetadata, rest: {} },
    { endpoint: propertiesRunReport, rest: { body: report } },
    { endpoint: propertiesRunRealtimeReport, rest: { body: realtime } }
  ])("$endpoint.id: accepts a property as a number or as a resource name", ({ endpoint, rest }) => {
    for (const property of ["123456789", "properties/123456789"]) {
      const decoded = validator<unknown>(endpoint.input)({ path: { property }, ...rest })
      assert.deepStrictEqual(Result.getOrThrow(decoded), { path, ...rest })
    }
  })

  it.each([
    { property: "G-ABC123" },
    { property: "UA-1-1" },
    { property: "accounts/1" },
    { property: "properties/" },
    { property: "properties/1/metadata" },
    { property: ".." },
    { property: "" },
    { property: 123456789 },
    { property: "1 " }
  ])("refuses $property as a property", ({ property }) => {
    for (const endpoint of [propertiesGetMetadata, propertiesRunReport]) {
      const input = { path: { property }, ...(endpoint === propertiesRunReport ? { body: report } : {}) }
      assert.deepStrictEqual(findIssues(endpoint, input).map(({ path }) => path), [["input", "path", "property"]])
    }
  })

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

  it("refuses a negative page size", () => {
    assert.deepStrictEqual(findIssues(accountSummariesList, { query: { pageSize: -1 } }).map(({ path }) => path), [
      ["input", "query", "pageSize"]
    ])
  })

  it("refuses an unexpected body or path", () => {
    assert.deepStrictEqual(findIssues(accountSummariesList, { path, body: {} }).map(({ path }) => path), [
      ["input", "path"],
      ["input", "body"]
    ])
  })

  it("reports every problem at once", () => {
    assert.deepStrictEqual(
      findIssues(propertiesRunReport, {
        path: {},
        query: { field: "rows" },
        body: { dateRanges: [{ startDate: "x" }], dimensions: [{ nme: "a" }], limit: 0 }
      }).map(({ path }) => path.join(".")),
      [
        "input.path.property",
        "input.query.field",
        "input.body.dateRanges.0.endDate",
        "input.body.dateRanges.0.startDate",
        "input.body.dimensions.0.nme",
        "input.body.limit"
      ]
    )
  })
})
