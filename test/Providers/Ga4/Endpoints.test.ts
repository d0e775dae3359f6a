import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  propertiesGetMetadata,
  propertiesRunRealtimeReport,
  propertiesRunReport
} from "../../../src/Providers/Ga4/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"
import { cohorts, days, exact, many, path, realtime, report } from "./Reports.ts"

const reportOf = (body: object) => ({ path, body: { ...report, ...body } })

describe("Analytics endpoints", () => {
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

  const noProperties = [
    ..."G-ABC123 UA-1-1 accounts/1 properties/ properties/1/metadata ..".split(" "),
    "",
    123456789,
    "1 2"
  ]
  refuses(propertiesGetMetadata, noProperties.map((property) => [{ path: { property } }, "path.property"]))

  const reports: ReadonlyArray<readonly [why: string, body: object, at: string]> = [
    ["there is no date range", { dateRanges: undefined }, ".dateRanges"],
    ["there are five date ranges", { dateRanges: Array.from({ length: 5 }, () => days.dateRanges[0]) }, ".dateRanges"],
    ["cohorts are combined with date ranges", cohorts, ".dateRanges"],
    [
      "cohorts lack the cohort dimension",
      { ...cohorts, dateRanges: undefined, dimensions: [{ name: "city" }] },
      ".dimensions"
    ],
    ["there are no metrics", { metrics: undefined }, ""],
    ["there are ten dimensions", { dimensions: many(10) }, ".dimensions"],
    ["there are eleven metrics", { metrics: many(11) }, ".metrics"],
    ["the limit is zero", { limit: 0 }, ".limit"],
    ["the offset is negative", { offset: -1 }, ".offset"],
    ["the property differs from the path", { property: "properties/1" }, ".property"],
    ["an aggregation is unknown", { metricAggregations: ["MEAN"] }, ".metricAggregations.0"]
  ]
  refuses(propertiesRunReport, reports.map(([why, body, at]) => [reportOf(body), `body${at}`, `a report when ${why}`]))

  const bodies: ReadonlyArray<readonly [body: object, at: string]> = [
    [{ orderBys: [{ metric: {}, dimension: {} }] }, ".orderBys.0"],
    [{ metrics: [{ name: "per user", expression: "a/b" }] }, ".metrics.0.name"],
    [{ dimensions: [{ name: "a", dimensionExpression: {} }] }, ".dimensions.0.dimensionExpression"],
    [{ comparisons: [{ name: "a" }] }, ".comparisons.0"]
  ]
  refuses(propertiesRunReport, bodies.map(([body, at]) => [reportOf(body), `body${at}`, JSON.stringify(body)]))

  const ranges: ReadonlyArray<readonly [range: object, at: string]> = [
    [{ startDate: "2026-02-30", endDate: "today" }, ".startDate"],
    [{ startDate: "7 daysAgo", endDate: "today" }, ".startDate"],
    [{ startDate: "2026-08-02", endDate: "2026-08-01" }, ".endDate"],
    [{ startDate: "7daysAgo", endDate: "8daysAgo" }, ".endDate"],
    [{ startDate: "today", endDate: "today", name: "date_range_1" }, ".name"]
  ]
  refuses(
    propertiesRunReport,
    ranges.map(([range, at]) => [
      reportOf({ dateRanges: [range] }),
      `body.dateRanges.0${at}`,
      `the date range ${JSON.stringify(range)}`
    ])
  )

  const filters: ReadonlyArray<readonly [filter: object, at: string]> = [
    [{}, ""],
    [{ ...exact("a"), notExpression: exact("b") }, ""],
    [{ filter: { fieldName: "country" } }, ".filter"],
    [{ filter: { fieldName: "country", stringFilter: { value: "a" }, emptyFilter: {} } }, ".filter"],
    [{ filter: { fieldName: "a", betweenFilter: { fromValue: { doubleValue: 1 } } } }, ".filter.betweenFilter.toValue"],
    [
      { andGroup: { expressions: [exact("a"), { orGroup: { expressions: [{ filter: {} }] } }] } },
      ".andGroup.expressions.1.orGroup.expressions.0.filter.fieldName"
    ]
  ]
  for (const field of ["dimensionFilter", "metricFilter"]) {
    refuses(
      propertiesRunReport,
      filters.map(([filter, at]) => [
        reportOf({ [field]: filter }),
        `body.${field}${at}`,
        `the ${field} ${JSON.stringify(filter)}`
      ])
    )
  }

  const realtimeBodies: ReadonlyArray<readonly [body: object, at: string]> = [
    [days, ".dateRanges"],
    [{ minuteRanges: [{}, {}, {}] }, ".minuteRanges"],
    [{ minuteRanges: [{ startMinutesAgo: 60 }] }, ".minuteRanges.0.startMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: 30 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ startMinutesAgo: 5, endMinutesAgo: 6 }] }, ".minuteRanges.0.endMinutesAgo"]
  ]
  refuses(
    propertiesRunRealtimeReport,
    realtimeBodies.map(([body, at]) => [{ path, body: { ...realtime, ...body } }, `body${at}`, JSON.stringify(body)])
  )
})
