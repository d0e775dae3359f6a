import { assert, describe, it } from "@effect/vitest"
import { propertiesRunRealtimeReport, propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { wrongAt } from "../../support/EndpointSuite.ts"
import { cohorts, days, exact, many, path, realtime, report } from "./Reports.ts"

describe("Analytics report rules", () => {
  const reports: ReadonlyArray<readonly [why: string, body: object, at: string]> = [
    ["there is no date range", { dateRanges: undefined }, ".dateRanges"],
    ["the list of date ranges is empty", { dateRanges: [] }, ".dateRanges"],
    ["there are five date ranges", { dateRanges: Array.from({ length: 5 }, () => days.dateRanges[0]) }, ".dateRanges"],
    ["cohorts are combined with date ranges", cohorts, ".dateRanges"],
    [
      "cohorts lack the cohort dimension",
      { ...cohorts, dateRanges: undefined, dimensions: [{ name: "city" }] },
      ".dimensions"
    ],
    ["there are no metrics", { metrics: undefined }, ""],
    ["the list of metrics is empty", { metrics: [] }, ""],
    ["there are ten dimensions", { dimensions: many(10) }, ".dimensions"],
    ["there are eleven metrics", { metrics: many(11) }, ".metrics"],
    ["the limit is zero", { limit: 0 }, ".limit"],
    ["the limit is negative", { limit: "-1" }, ".limit"],
    ["the limit is not an integer", { limit: 1.5 }, ".limit"],
    ["the offset is negative", { offset: -1 }, ".offset"],
    ["the offset is not a number", { offset: "ten" }, ".offset"],
    ["a name is in snake_case", { keep_empty_rows: true }, ".keep_empty_rows"],
    ["the property differs from the path", { property: "properties/1" }, ".property"],
    ["an aggregation is unknown", { metricAggregations: ["MEAN"] }, ".metricAggregations.0"]
  ]
  for (const [why, body, at] of reports) {
    it(`refuses a report when ${why}`, () => {
      const input = JSON.parse(JSON.stringify({ path, body: { ...report, ...body } }))
      assert.deepStrictEqual(wrongAt(propertiesRunReport, input), [`body${at}`])
    })
  }

  const ranges: ReadonlyArray<readonly [range: object, at: string]> = [
    [{ startDate: "2026-02-30", endDate: "today" }, ".startDate"],
    [{ startDate: "2026-1-1", endDate: "today" }, ".startDate"],
    [{ startDate: "7 daysAgo", endDate: "today" }, ".startDate"],
    [{ startDate: "7daysAgo", endDate: "Today" }, ".endDate"],
    [{ startDate: "today" }, ".endDate"],
    [{ startDate: "2026-08-02", endDate: "2026-08-01" }, ".endDate"],
    [{ startDate: "7daysAgo", endDate: "8daysAgo" }, ".endDate"],
    [{ startDate: "today", endDate: "yesterday" }, ".endDate"],
    [{ startDate: "today", endDate: "today", name: "date_range_1" }, ".name"],
    [{ startDate: "today", endDate: "today", name: "RESERVED_x" }, ".name"]
  ]
  for (const [range, at] of ranges) {
    it(`refuses the date range ${JSON.stringify(range)}`, () => {
      const input = { path, body: { ...report, dateRanges: [range] } }
      assert.deepStrictEqual(wrongAt(propertiesRunReport, input), [`body.dateRanges.0${at}`])
    })
  }

  const filters: ReadonlyArray<readonly [filter: object, at: string]> = [
    [{}, ""],
    [{ ...exact("a"), notExpression: exact("b") }, ""],
    [{ filter: { stringFilter: { value: "a" } } }, ".filter.fieldName"],
    [{ filter: { fieldName: "country" } }, ".filter"],
    [{ filter: { fieldName: "country", stringFilter: { value: "a" }, emptyFilter: {} } }, ".filter"],
    [{ filter: { fieldName: "country", emptyFilter: { a: 1 } } }, ".filter.emptyFilter.a"],
    [{ filter: { fieldName: "country", inListFilter: { values: [] } } }, ".filter.inListFilter.values"],
    [{ filter: { fieldName: "a", numericFilter: { operation: "EQUAL", value: {} } } }, ".filter.numericFilter.value"],
    [{ filter: { fieldName: "a", betweenFilter: { fromValue: { doubleValue: 1 } } } }, ".filter.betweenFilter.toValue"],
    [
      { andGroup: { expressions: [exact("a"), { orGroup: { expressions: [{ filter: {} }] } }] } },
      ".andGroup.expressions.1.orGroup.expressions.0.filter.fieldName"
    ]
  ]
  for (const [filter, at] of filters) {
    it(`refuses the filter ${JSON.stringify(filter)}`, () => {
      for (const field of ["dimensionFilter", "metricFilter"]) {
        const input = { path, body: { ...report, [field]: filter } }
        assert.deepStrictEqual(wrongAt(propertiesRunReport, input), [`body.${field}${at}`])
      }
    })
  }

  const bodies: ReadonlyArray<readonly [body: object, at: string]> = [
    [{ orderBys: [{ desc: true }] }, ".orderBys.0"],
    [{ orderBys: [{ metric: {}, dimension: {} }] }, ".orderBys.0"],
    [{ metrics: [{}] }, ".metrics.0"],
    [{ metrics: [{ name: "per user", expression: "a/b" }] }, ".metrics.0.name"],
    [{ dimensions: [{}] }, ".dimensions.0"],
    [{ dimensions: ["city"] }, ".dimensions.0"],
    [{ dimensions: [{ name: "a", dimensionExpression: {} }] }, ".dimensions.0.dimensionExpression"],
    [{ comparisons: [{ name: "a" }] }, ".comparisons.0"]
  ]
  for (const [body, at] of bodies) {
    it(`refuses a report with ${JSON.stringify(body)}`, () => {
      assert.deepStrictEqual(wrongAt(propertiesRunReport, { path, body: { ...report, ...body } }), [`body${at}`])
    })
  }

  const realtimeBodies: ReadonlyArray<readonly [body: object, at: string]> = [
    [days, ".dateRanges"],
    [{ offset: 1 }, ".offset"],
    [{ cohortSpec: {} }, ".cohortSpec"],
    [{ minuteRanges: [{}, {}, {}] }, ".minuteRanges"],
    [{ minuteRanges: [{ startMinutesAgo: 60 }] }, ".minuteRanges.0.startMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: -1 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: 30 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ startMinutesAgo: 5, endMinutesAgo: 6 }] }, ".minuteRanges.0.endMinutesAgo"]
  ]
  for (const [body, at] of realtimeBodies) {
    it(`refuses a realtime report with ${JSON.stringify(body)}`, () => {
      const input = { path, body: { ...realtime, ...body } }
      assert.deepStrictEqual(wrongAt(propertiesRunRealtimeReport, input), [`body${at}`])
    })
  }
})
