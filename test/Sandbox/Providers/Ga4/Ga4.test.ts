import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { column, names, reportOf, request, run, shop, weeks } from "./Fixture.ts"

const sessions = { ...weeks, metrics: names("sessions") }
const lacks = (what: string) => `The sandbox does not carry out ${what}; the provider does.`

const paths = (matchType: string, value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType, value } }
})
const either = { orGroup: { expressions: [paths("CONTAINS", "pages"), paths("EXACT", "/")] } }

layer(sandboxAt(now))("Analytics", (it) => {
  it.effect("requires analytics.edit or readonly for accounts, analytics or readonly for data", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.analyticsEdit)
      assert.strictEqual((yield* send("ga4Admin", "/v1beta/accountSummaries", { token })).status, 200)
      assert.strictEqual((yield* send("ga4Data", "/v1beta/properties/0/metadata", { token })).status, 403)
    }))

  it.effect.each<readonly [number, object, string]>([
    [400, {}, "Expected at least one date range"],
    [400, { ...weeks, dimensions: names("county") }, "Field county is not a valid dimension. For a list of valid"],
    [400, { ...weeks, metrics: names("session") }, "Did you mean sessions? Field session is not a valid metric."],
    [400, { ...sessions, foo: 1 }, "Invalid value at 'foo': Unknown field"],
    [501, { ...weeks, metrics: [{ expression: "sessions/activeUsers" }] }, lacks("metric expressions")],
    [
      501,
      { ...sessions, dimensions: [{ name: "c", dimensionExpression: { lowerCase: { dimensionName: "city" } } }] },
      lacks("dimension expressions")
    ],
    [501, { ...sessions, metricAggregations: ["MAXIMUM"] }, lacks("the metric aggregation MAXIMUM")],
    [501, { ...sessions, comparisons: [{ comparison: "comparisons/1" }] }, lacks("comparisons")]
  ])("refuses a report with %i: %j", ([status, body, message]) =>
    Effect.gen(function*() {
      const refused = yield* run(shop, body)
      assert.strictEqual(refused.status, status)
      assert.include(String(at(refused.text, "error", "message")), message)
    }))

  it.effect.each([["999", 403], ["G-ABC123", 400]] as const)(
    "responds to property %s with %i",
    ([property, status]) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* run(property, sessions)).status, status)
        assert.strictEqual((yield* request(`${property}/metadata`)).status, status)
      })
  )

  it.effect("has headers, rows and the number of all rows in a report", () =>
    Effect.gen(function*() {
      const { dimensions, kind, metrics, rowCount, rows, types } = yield* reportOf({
        dimensions: names("country"),
        metrics: names("sessions", "engagementRate"),
        limit: 3
      })
      assert.deepStrictEqual({ dimensions, kind, metrics, types }, {
        kind: "analyticsData#runReport",
        dimensions: ["country"],
        metrics: ["sessions", "engagementRate"],
        types: ["TYPE_INTEGER", "TYPE_FLOAT"]
      })
      assert.isAbove(rowCount, 3)
      assert.deepStrictEqual(column(rows).slice(0, 2), ["United Kingdom", "United States"])
    }))

  it.effect("counts relative days from today in the property's time zone, which has its first hours", () =>
    Effect.gen(function*() {
      const { rows } = yield* reportOf({
        dateRanges: [{ startDate: "2daysAgo", endDate: "today" }],
        dimensions: names("date"),
        metrics: names("sessions"),
        orderBys: [{ dimension: { dimensionName: "date" } }]
      })
      assert.deepStrictEqual(column(rows), ["20260316", "20260317", "20260318"])
      assert.isBelow(rows[2]?.numbers[0] ?? 0, (rows[1]?.numbers[0] ?? 0) / 2)
    }))

  it.effect.each<[filter: object, keeps: (path: string) => boolean]>([
    [paths("EXACT", "/products/Dibber"), (path) => path === "/products/dibber"],
    [paths("PARTIAL_REGEXP", "rake|^/$"), (path) => path === "/" || path.includes("rake")],
    [
      { andGroup: { expressions: [{ notExpression: paths("CONTAINS", "products") }, either] } },
      (path) => path === "/" || path.startsWith("/pages/")
    ]
  ])("has the rows of a filter: %j", ([dimensionFilter, keeps]) =>
    Effect.gen(function*() {
      const request = { dimensions: names("pagePath"), metrics: names("eventCount") }
      const { rows: all } = yield* reportOf(request)
      const { rows } = yield* reportOf({ ...request, dimensionFilter })
      assert.deepStrictEqual(rows, all.filter(({ values: [path = ""] }) => keeps(path)))
      const least = {
        filter: { fieldName: "eventCount", numericFilter: { operation: "GREATER_THAN", value: { int64Value: 500 } } }
      }
      const { rows: many } = yield* reportOf({ ...request, metricFilter: least })
      assert.deepStrictEqual(many, all.filter(({ numbers: [count = 0] }) => count > 500))
    }))
})
