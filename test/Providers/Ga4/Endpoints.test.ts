import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  accountSummariesList,
  propertiesGetMetadata,
  propertiesRunRealtimeReport,
  propertiesRunReport
} from "../../../src/Providers/Ga4/Endpoints.ts"
import { refuses, wrongAt } from "../../support/EndpointSuite.ts"
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
  refuses(propertiesRunReport, noProperties.map((property) => [{ path: { property }, body: report }, "path.property"]))
  refuses(accountSummariesList, [[{ query: { pageSize: -1 } }, "query.pageSize"]])

  it("refuse an unexpected body or path, and report every problem at once", () => {
    assert.deepStrictEqual(wrongAt(accountSummariesList, { path, body: {} }), ["path", "body"])
    assert.deepStrictEqual(
      wrongAt(propertiesRunReport, {
        path: {},
        query: { field: "rows" },
        body: { dateRanges: [{ startDate: "x" }], dimensions: [{ nme: "a" }], limit: 0 }
      }),
      [
        "path.property",
        "query.field",
        "body.dateRanges.0.endDate",
        "body.dateRanges.0.startDate",
        "body.dimensions.0.nme",
        "body.limit"
      ]
    )
  })

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
  refuses(
    propertiesRunReport,
    reports.map(([why, body, at]) => [reportOf(body), `body${at}`, `a report when ${why}`])
  )

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
  refuses(propertiesRunReport, bodies.map(([body, at]) => [reportOf(body), `body${at}`, JSON.stringify(body)]))

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
    [{ offset: 1 }, ".offset"],
    [{ cohortSpec: {} }, ".cohortSpec"],
    [{ minuteRanges: [{}, {}, {}] }, ".minuteRanges"],
    [{ minuteRanges: [{ startMinutesAgo: 60 }] }, ".minuteRanges.0.startMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: -1 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ endMinutesAgo: 30 }] }, ".minuteRanges.0.endMinutesAgo"],
    [{ minuteRanges: [{ startMinutesAgo: 5, endMinutesAgo: 6 }] }, ".minuteRanges.0.endMinutesAgo"]
  ]
  refuses(
    propertiesRunRealtimeReport,
    realtimeBodies.map(([body, at]) => [{ path, body: { ...realtime, ...body } }, `body${at}`, JSON.stringify(body)])
  )
})
