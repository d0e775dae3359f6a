import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { column, names, reportOf, rollUp, sum } from "./Fixture.ts"

const byDate = (dimension: string, startDate: string, endDate: string) =>
  reportOf({
    dateRanges: [{ startDate, endDate }],
    dimensions: names(dimension),
    metrics: names("sessions"),
    orderBys: [{ dimension: { dimensionName: dimension } }]
  })

layer(sandboxAt(now))("A report", (it) => {
  it.effect("has headers, rows and the number of all rows", () =>
    Effect.gen(function*() {
      const report = yield* reportOf({
        dimensions: names("country"),
        metrics: names("sessions", "engagementRate"),
        limit: 3
      })
      const { dimensions, kind, metrics, types } = report
      assert.deepStrictEqual({ dimensions, kind, metrics, types }, {
        kind: "analyticsData#runReport",
        dimensions: ["country"],
        metrics: ["sessions", "engagementRate"],
        types: ["TYPE_INTEGER", "TYPE_FLOAT"]
      })
      assert.isAbove(report.rowCount, 3)
      assert.deepStrictEqual(column(report.rows).slice(0, 2), ["United Kingdom", "United States"])
    }))

  it.effect("by landing page adds up sessions but not users, and some sessions have no page", () =>
    Effect.gen(function*() {
      const { rows, totals } = yield* reportOf({
        dimensions: names("landingPage"),
        metrics: names("sessions", "activeUsers", "engagedSessions"),
        metricAggregations: ["TOTAL"]
      })
      const [total] = totals
      assert.deepStrictEqual(total?.values, ["RESERVED_TOTAL"])
      assert.strictEqual(sum(rows), total?.numbers[0])
      assert.strictEqual(sum(rows, 2), total?.numbers[2])
      assert.isAbove(sum(rows, 1), total?.numbers[1] ?? 0)
      assert.includeMembers(column(rows), ["/", "(not set)", ""])
      const sessions = rows.map(({ numbers }) => numbers[0] ?? 0)
      assert.deepStrictEqual(sessions, sessions.toSorted((a, b) => b - a))
    }))

  it.effect("of the roll-up has the sessions of shop and journal, and fewer users than their sum", () =>
    Effect.gen(function*() {
      const request = { metrics: names("sessions", "activeUsers") }
      const [ofShop] = (yield* reportOf(request)).rows
      const [all] = (yield* reportOf(request, rollUp)).rows
      const { rows } = yield* reportOf({ dimensions: names("streamName"), ...request }, rollUp)
      assert.sameMembers(column(rows), ["Fernhill shop", "Fernhill journal"])
      assert.strictEqual(rows.find(({ values }) => values[0] === "Fernhill shop")?.numbers[0], ofShop?.numbers[0])
      assert.strictEqual(sum(rows), all?.numbers[0])
      assert.isAbove(sum(rows, 1), all?.numbers[1] ?? 0)
    }))

  it.effect("has consistent events, pages and purchases", () =>
    Effect.gen(function*() {
      const [totals] = (yield* reportOf({
        metrics: names("sessions", "screenPageViews", "eventCount", "newUsers", "ecommercePurchases", "purchaseRevenue")
      })).rows
      const [sessions, views, events, newUsers, purchases, revenue] = totals?.numbers ?? []
      const byEvent = yield* reportOf({ dimensions: names("eventName"), metrics: names("eventCount") })
      const count = (event: string) => byEvent.rows.find(({ values }) => values[0] === event)?.numbers[0]
      assert.strictEqual(count("session_start"), sessions)
      assert.strictEqual(count("page_view"), views)
      assert.strictEqual(count("first_visit"), newUsers)
      assert.strictEqual(count("purchase"), purchases)
      assert.strictEqual(sum(byEvent.rows), events)
      const byPage = yield* reportOf({ dimensions: names("pagePath"), metrics: names("screenPageViews") })
      assert.strictEqual(sum(byPage.rows), views)
      assert.isAbove(purchases ?? 0, 20)
      assert.isAbove(revenue ?? 0, 12 * (purchases ?? 0))
    }))

  it.effect("counts relative days from today in the property's time zone, which has its first hours", () =>
    Effect.gen(function*() {
      const { rows } = yield* byDate("date", "2daysAgo", "today")
      assert.deepStrictEqual(column(rows), ["20260316", "20260317", "20260318"])
      assert.isBelow(rows[2]?.numbers[0] ?? 0, (rows[1]?.numbers[0] ?? 0) / 2)
    }))

  it.effect("is paged by limit and offset", () =>
    Effect.gen(function*() {
      const request = { dimensions: names("city", "browser"), metrics: names("sessions") }
      const { rows } = yield* reportOf(request)
      const first = yield* reportOf({ ...request, limit: "5" })
      const second = yield* reportOf({ ...request, limit: 5, offset: "5" })
      assert.deepStrictEqual([...first.rows, ...second.rows], rows.slice(0, 10))
      assert.strictEqual(second.rowCount, rows.length)
      assert.deepStrictEqual((yield* reportOf({ ...request, offset: 100_000 })).rows, [])
    }))
})
