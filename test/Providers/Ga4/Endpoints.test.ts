import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  accountSummariesList,
  ga4Endpoints,
  propertiesGetMetadata,
  propertiesRunRealtimeReport,
  propertiesRunReport
} from "../../../src/Providers/Ga4/Endpoints.ts"
import { endpointSuite, wrongAt } from "../../support/EndpointSuite.ts"
import { cohorts, days, exact, many, path, realtime, report } from "./Reports.ts"

const nested = (depth: number): unknown => depth === 0 ? exact("a") : { notExpression: nested(depth - 1) }

describe("Analytics endpoints", () => {
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
    { property: "1 2" }
  ])("refuses $property as a property", ({ property }) => {
    for (const endpoint of [propertiesGetMetadata, propertiesRunReport]) {
      const input = { path: { property }, ...(endpoint === propertiesRunReport ? { body: report } : {}) }
      assert.deepStrictEqual(wrongAt(endpoint, input), ["path.property"])
    }
  })

  it("refuses a negative page size", () => {
    assert.deepStrictEqual(wrongAt(accountSummariesList, { query: { pageSize: -1 } }), ["query.pageSize"])
  })

  it("refuses an unexpected body or path", () => {
    assert.deepStrictEqual(wrongAt(accountSummariesList, { path, body: {} }), ["path", "body"])
  })

  it("reports every problem at once", () => {
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
})
