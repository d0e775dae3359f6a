import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { column, empty, names, reportOf, rollUp, sum } from "./Fixture.ts"

const exactly = (fieldName: string, value: string) => ({ filter: { fieldName, stringFilter: { value } } })

const hours = (orderType: string, desc: boolean) =>
  Effect.map(
    reportOf({
      dimensions: names("hour"),
      metrics: names("sessions"),
      orderBys: [{ dimension: { dimensionName: "hour", orderType }, desc }]
    }),
    ({ rows }) => column(rows)
  )

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

  it.effect("without metrics lists values, without dimensions has one row, and of an empty property none", () =>
    Effect.gen(function*() {
      const devices = yield* reportOf({ dimensions: names("deviceCategory") })
      assert.sameMembers(column(devices.rows), ["mobile", "desktop", "tablet"])
      const whole = yield* reportOf({ metrics: names("eventCount", "advertiserAdCost") })
      assert.deepStrictEqual([whole.dimensions, whole.rows.length, whole.rows[0]?.values], [[], 1, []])
      // Cost metrics are blocked.
      assert.strictEqual(whole.rows[0]?.numbers[1], 0)
      const none = yield* reportOf({ dimensions: names("date"), metrics: names("sessions") }, empty)
      assert.deepInclude(none, { dimensions: ["date"], metrics: ["sessions"], rows: [], rowCount: 0 })
      const realtime = yield* reportOf({ metrics: names("activeUsers") }, empty, "runRealtimeReport")
      assert.deepInclude(realtime, { kind: "analyticsData#runRealtimeReport", metrics: [], rowCount: 0 })
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

  it.effect("computes rates from its counts", () =>
    Effect.gen(function*() {
      const { rows } = yield* reportOf({
        dimensions: names("sessionDefaultChannelGroup"),
        metrics: [...names("sessions", "engagedSessions", "engagementRate", "bounceRate"), {
          expression: "engagedSessions/sessions"
        }]
      })
      for (const { numbers: [sessions = 0, engaged = 0, rate, bounce = 0, computed] } of rows) {
        assert.strictEqual(rate, engaged / sessions)
        assert.strictEqual(computed, rate)
        assert.closeTo(bounce, 1 - (rate ?? 0), 1e-9)
      }
    }))

  it.effect("has weeks, months and weekdays of the calendar", () =>
    Effect.gen(function*() {
      const { rows } = yield* reportOf({
        dateRanges: [{ startDate: "2026-01-01", endDate: "2026-01-05" }],
        dimensions: names("date", "week", "yearMonth", "dayOfWeekName", "dayOfWeek", "day"),
        orderBys: [{ dimension: { dimensionName: "date" } }]
      })
      assert.deepStrictEqual(rows.map(({ values }) => values.join(" ")), [
        "20260101 01 202601 Thursday 4 01",
        "20260102 01 202601 Friday 5 02",
        "20260103 01 202601 Saturday 6 03",
        "20260104 02 202601 Sunday 0 04",
        "20260105 02 202601 Monday 1 05"
      ])
    }))

  it.effect("counts relative days from today in the property's time zone, which has its first hours", () =>
    Effect.gen(function*() {
      const { rows } = yield* byDate("date", "2daysAgo", "today")
      assert.deepStrictEqual(column(rows), ["20260316", "20260317", "20260318"])
      assert.isBelow(rows[2]?.numbers[0] ?? 0, (rows[1]?.numbers[0] ?? 0) / 2)
    }))

  it.effect("with several date ranges has a dateRange column", () =>
    Effect.gen(function*() {
      const { dimensions, rows, totals } = yield* reportOf({
        dateRanges: [
          { startDate: "7daysAgo", endDate: "yesterday", name: "this week" },
          { startDate: "14daysAgo", endDate: "8daysAgo" }
        ],
        dimensions: names("deviceCategory"),
        metrics: names("sessions"),
        metricAggregations: ["TOTAL"]
      })
      assert.deepStrictEqual(dimensions, ["deviceCategory", "dateRange"])
      assert.sameMembers([...new Set(column(rows, 1))], ["this week", "date_range_1"])
      assert.deepStrictEqual(totals.map(({ values }) => values), [
        ["RESERVED_TOTAL", "this week"],
        ["RESERVED_TOTAL", "date_range_1"]
      ])
    }))

  it.effect("with comparisons has a comparison column, and comparisons may overlap", () =>
    Effect.gen(function*() {
      const { dimensions, rows } = yield* reportOf({
        metrics: names("sessions"),
        comparisons: [
          { name: "Mobile", dimensionFilter: exactly("deviceCategory", "mobile") },
          { name: "All", dimensionFilter: { notExpression: exactly("deviceCategory", "none") } }
        ]
      })
      assert.deepStrictEqual(dimensions, ["comparison"])
      assert.deepStrictEqual(column(rows), ["All", "Mobile"])
      assert.isAbove(rows[0]?.numbers[0] ?? 0, rows[1]?.numbers[0] ?? 0)
    }))

  it.effect("has the minimum and maximum of each metric", () =>
    Effect.gen(function*() {
      const { maximums, minimums, rows } = yield* reportOf({
        dimensions: names("country"),
        metrics: names("sessions", "engagementRate"),
        metricAggregations: ["MINIMUM", "MAXIMUM"]
      })
      const columns = [0, 1].map((metric) => rows.map(({ numbers }) => numbers[metric] ?? 0))
      const of = (name: string, pick: (...all: ReadonlyArray<number>) => number) => [
        { values: [name], numbers: columns.map((all) => pick(...all)) }
      ]
      assert.deepStrictEqual([maximums, minimums], [of("RESERVED_MAX", Math.max), of("RESERVED_MIN", Math.min)])
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

  it.effect("omits rows of zeros without keepEmptyRows", () =>
    Effect.gen(function*() {
      const request = { dimensions: names("eventName"), metrics: names("keyEvents") }
      assert.deepStrictEqual(column((yield* reportOf(request)).rows), ["purchase"])
      assert.include(column((yield* reportOf({ ...request, keepEmptyRows: true })).rows), "page_view")
    }))

  it.effect("combines dimensions by expressions", () =>
    Effect.gen(function*() {
      const concatenate = { dimensionNames: ["country", "city"], delimiter: " / " }
      const upperCase = { dimensionName: "deviceCategory" }
      const { dimensions, rows } = yield* reportOf({
        dimensions: [
          { name: "place", dimensionExpression: { concatenate } },
          { name: "device", dimensionExpression: { upperCase } }
        ],
        metrics: names("sessions")
      })
      assert.deepStrictEqual(dimensions, ["place", "device"])
      assert.include(column(rows), "United Kingdom / London")
      assert.sameMembers([...new Set(column(rows, 1))], ["MOBILE", "DESKTOP", "TABLET"])
    }))

  it.effect("can be sorted by an invisible metric, and by dimensions as text or numbers", () =>
    Effect.gen(function*() {
      const { metrics, rows } = yield* reportOf({
        dimensions: names("country"),
        metrics: [{ name: "sessions" }, { name: "totalUsers", invisible: true }],
        orderBys: [{ metric: { metricName: "totalUsers" } }]
      })
      assert.deepStrictEqual([metrics, rows.at(-1)?.values, rows[0]?.numbers.length], [
        ["sessions"],
        ["United Kingdom"],
        1
      ])
      const up = yield* hours("NUMERIC", false)
      assert.deepStrictEqual(up, up.toSorted())
      assert.deepStrictEqual(yield* hours("CASE_INSENSITIVE_ALPHANUMERIC", true), up.toReversed())
    }))

  it.effect("in realtime has minutes and minute ranges", () =>
    Effect.gen(function*() {
      const request = {
        dimensions: names("minutesAgo", "unifiedScreenName"),
        metrics: names("activeUsers", "screenPageViews")
      }
      const { kind, rows } = yield* reportOf(request, rollUp, "runRealtimeReport")
      assert.strictEqual(kind, "analyticsData#runRealtimeReport")
      assert.isAbove(rows.length, 5)
      assert.isTrue(column(rows).every((minute) => /^[0-2]\d$/.test(minute)))
      const ranges = { minuteRanges: [{ name: "now", startMinutesAgo: 9 }, { startMinutesAgo: 29, endMinutesAgo: 10 }] }
      const split = yield* reportOf({ metrics: names("screenPageViews"), ...ranges }, rollUp, "runRealtimeReport")
      assert.deepStrictEqual(column(split.rows).toSorted(), ["date_range_1", "now"])
      assert.strictEqual(sum(split.rows), sum(rows, 1))
    }))

  it.effect("has a history with seasons", () =>
    Effect.gen(function*() {
      const { rows } = yield* byDate("month", "2025-01-01", "2025-12-31")
      assert.lengthOf(rows, 12)
      assert.isAbove(rows[4]?.numbers[0] ?? 0, 1.5 * (rows[0]?.numbers[0] ?? 0))
    }))
})
