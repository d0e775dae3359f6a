import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors.ts"
import { ga4TrafficByPage } from "../../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeAnalytics, landing, requestsOf } from "../../../support/FakeAnalytics.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { type Json, objectOf, objectsOf, runTool } from "../../../support/RunTool.ts"

const rowsOf = (output: Json) => objectsOf(output["rows"])
const pagesOf = (output: Json) => rowsOf(output).map(({ page }) => page)
const property = "123"

describe("ga4_traffic_by_page", () => {
  it.effect("returns the window, totals, rows and page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([landing("/", 7, 5, 2), landing("/a", 3, 3, 3)])
      assert.deepStrictEqual(yield* runTool(ga4TrafficByPage, provider, { property }), {
        property_id: "123",
        start: "2026-09-07",
        end: "2026-10-04",
        time_zone: "Pacific/Honolulu",
        totals: { sessions: 50, users: 30, engaged_sessions: 20, engagement_rate: 0.4 },
        rows: [
          { page: "/", sessions: 7, users: 5, engagement_rate: 0.2857 },
          { page: "/a", sessions: 3, users: 3, engagement_rate: 1 }
        ],
        returned: 2,
        has_more: false,
        row_count: 2
      })
      const common = {
        dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }],
        metrics: [{ name: "sessions" }, { name: "activeUsers" }, { name: "engagedSessions" }, {
          name: "engagementRate"
        }],
        returnPropertyQuota: true
      }
      const isEmpty = { filter: { fieldName: "landingPage", emptyFilter: {} } }
      assert.deepStrictEqual<unknown>(calls, [{
        endpoint: "properties.batchRunReports",
        input: {
          path: { property: "123" },
          body: {
            requests: [
              {
                ...common,
                dimensionFilter: { andGroup: { expressions: [{ notExpression: isEmpty }] } },
                dimensions: [{ name: "landingPage" }],
                orderBys: [
                  { metric: { metricName: "sessions" }, desc: true },
                  { dimension: { dimensionName: "landingPage" } }
                ],
                limit: "26",
                offset: "0",
                keepEmptyRows: false
              },
              common,
              {
                ...common,
                dimensionFilter: { andGroup: { expressions: [isEmpty] } },
                dimensions: [{ name: "landingPage" }]
              }
            ]
          }
        }
      }])
    }))

  it.effect("total users come from the provider, not from adding up pages", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([landing("/", 70, 70), landing("/a", 60, 60)], {
        total: landing("", 130, 108)
      })
      const output = yield* runTool(ga4TrafficByPage, provider, { property })
      assert.strictEqual(objectOf(output["totals"])["users"], 108)
    }))

  it.effect("the note names each quality flag of the report", () =>
    Effect.gen(function*() {
      const metadata = {
        timeZone: "Pacific/Honolulu",
        subjectToThresholding: true,
        dataLossFromOtherRow: true,
        samplingMetadatas: [{ samplesReadCount: "100", samplingSpaceSize: "1000" }],
        dataTruncationReasons: [{ dataTruncationMessage: "Older events are gone." }],
        schemaRestrictionResponse: { activeMetricRestrictions: [{ metricName: "purchaseRevenue" }] },
        emptyReason: "NO_DATA"
      }
      const { provider } = fakeAnalytics([landing("/", 1)], { extra: { metadata } })
      assert.deepStrictEqual(
        (yield* runTool(ga4TrafficByPage, provider, { property }))["note"],
        [
          "Thresholding: rows with too few users are withheld.",
          "Sampling: estimated from 100 of 1000 events.",
          "Cardinality: pages beyond the property's limit are rolled up into the page \"(other)\".",
          "Truncation: Older events are gone.",
          "Restriction: the connection may not see purchaseRevenue.",
          "Empty: NO_DATA"
        ].join(" ")
      )
    }))

  it.effect("the window ends yesterday in the property's time zone", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([])
      const output = yield* runTool(ga4TrafficByPage, provider, { property, days: 1 })
      assert.deepInclude(output, { start: "2026-10-04", end: "2026-10-04", time_zone: "Pacific/Honolulu" })
      for (const { dateRanges } of calls.flatMap(({ input }) => requestsOf(input))) {
        assert.deepStrictEqual(dateRanges, [{ startDate: "1daysAgo", endDate: "yesterday" }])
      }
    }))

  it.effect.each([
    { end: "2026-10-04", note: undefined },
    { end: "2026-10-05", note: "Days after 2026-10-04 are not over yet, so their figures are incomplete." }
  ])("start and end are days in the property's time zone ($end)", ({ end, note }) =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([landing("/", 1)])
      const output = yield* runTool(ga4TrafficByPage, provider, { property, start: "2026-09-01", end })
      assert.deepInclude(output, { start: "2026-09-01", end })
      assert.strictEqual(output["note"], note)
      for (const { dateRanges } of calls.flatMap(({ input }) => requestsOf(input))) {
        assert.deepStrictEqual(dateRanges, [{ startDate: "2026-09-01", endDate: end }])
      }
    }))

  it.effect.each([{ extra: { metadata: {} }, zone: null }, {
    extra: { metadata: { timeZone: "Mars/Base" } },
    zone: "Mars/Base"
  }])(
    "the window is given in relative days for an unknown time zone ($zone)",
    ({ extra, zone }) =>
      Effect.gen(function*() {
        const { provider } = fakeAnalytics([landing("/", 1)], { extra })
        const output = yield* runTool(ga4TrafficByPage, provider, { property })
        assert.deepInclude(output, { start: "28daysAgo", end: "yesterday", time_zone: zone })
      })
  )

  it.effect("filters apply to rows, totals and the (not set) row", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([landing("/blog/a", 4), landing("/shop", 9)])
      const output = yield* runTool(ga4TrafficByPage, provider, {
        property,
        channel: "Organic Search",
        page_contains: "/blog/",
        hostname: "www.example.com"
      })
      assert.deepStrictEqual(pagesOf(output), ["/blog/a"])
      const expected = [
        {
          filter: {
            fieldName: "sessionDefaultChannelGroup",
            stringFilter: { matchType: "EXACT", value: "Organic Search" }
          }
        },
        { filter: { fieldName: "landingPage", stringFilter: { matchType: "CONTAINS", value: "/blog/" } } },
        { filter: { fieldName: "hostName", stringFilter: { matchType: "EXACT", value: "www.example.com" } } }
      ]
      const requests = calls.flatMap(({ input }) => requestsOf(input))
      assert.strictEqual(requests.length, 3)
      for (const request of requests) {
        const { expressions } = objectOf(objectOf(request["dimensionFilter"])["andGroup"])
        assert.deepStrictEqual<unknown>(objectsOf(expressions).slice(0, 3), expected)
      }
    }))

  it.effect("include_query_string groups pages with their query string", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([])
      yield* runTool(ga4TrafficByPage, provider, { property, include_query_string: true, page_contains: "utm_" })
      const [request = {}] = calls.flatMap(({ input }) => requestsOf(input))
      assert.deepStrictEqual(request["dimensions"], [{ name: "landingPagePlusQueryString" }])
      assert.notInclude(JSON.stringify(request), "\"landingPage\"")
    }))

  it.effect("shortens a page after 300 characters", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([landing(`/${"a".repeat(399)}`, 1)])
      const [page] = pagesOf(yield* runTool(ga4TrafficByPage, provider, { property }))
      assert.strictEqual(page, `/${"a".repeat(299)}…(+100)`)
    }))

  it.effect("an empty result has a null rate and a note with the days", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([], { total: landing("", 0) })
      const output = yield* runTool(ga4TrafficByPage, provider, { property })
      assert.deepInclude(output, { rows: [], returned: 0, has_more: false, row_count: 0 })
      assert.deepStrictEqual(output["totals"], { sessions: 0, users: 0, engaged_sessions: 0, engagement_rate: null })
      assert.strictEqual(output["note"], "No sessions from 2026-09-07 to 2026-10-04 match.")
    }))

  it.effect("compare adds the figures of the window before to the totals and to the rows of the page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics(
        [landing("/a", 9, 8, 3), landing("/new", 5, 5, 5), landing("", 2, 1), landing("/b", 1)],
        { before: [landing("/a", 4, 4, 2), landing("(not set)", 3, 2), landing("/b", 50)] }
      )
      const output = yield* runTool(ga4TrafficByPage, provider, { property, compare: "previous_period", limit: 3 })
      assert.deepInclude(output, { previous_start: "2026-08-10", previous_end: "2026-09-06", has_more: true })
      assert.deepStrictEqual(output["rows"], [
        {
          page: "/a",
          sessions: 9,
          users: 8,
          engagement_rate: 0.3333,
          previous: { sessions: 4, users: 4, engagement_rate: 0.5 },
          change: { sessions: 5, users: 4, engagement_rate: -0.1667 }
        },
        {
          page: "/new",
          sessions: 5,
          users: 5,
          engagement_rate: 1,
          previous: { sessions: 0, users: 0, engagement_rate: null },
          change: { sessions: 5, users: 5, engagement_rate: null }
        },
        {
          page: "(not set)",
          sessions: 2,
          users: 1,
          engagement_rate: 0,
          previous: { sessions: 3, users: 2, engagement_rate: 0 },
          change: { sessions: -1, users: -1, engagement_rate: 0 }
        }
      ])
      assert.containSubset(output["totals"], {
        previous: { sessions: 57, users: 56, engaged_sessions: 2 },
        change: { sessions: -7, users: -26, engaged_sessions: 18 }
      })
      assert.lengthOf(calls, 2)
      for (const { dateRanges } of requestsOf(calls[1]?.input ?? {})) {
        assert.deepStrictEqual(dateRanges, [{ startDate: "2026-08-10", endDate: "2026-09-06" }])
      }
    }))

  it.effect("a previous window without sessions is told", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([landing("/a", 9)], { before: [] })
      const input = { property, start: "2024-02-29", end: "2024-02-29", compare: "previous_year" }
      const output = yield* runTool(ga4TrafficByPage, provider, input)
      assert.deepInclude(output, { previous_start: "2023-02-28", previous_end: "2023-02-28" })
      assert.strictEqual(output["note"], "The previous window, 2023-02-28 to 2023-02-28, has no sessions.")
    }))

  const noSessions = { total: landing("", 0) }
  const channels = ["Organic Search", "Direct", "Paid Search", "Organic Social", "Referral", "Email"]
  it.effect.each([
    {
      input: { channel: "organic" },
      note: "No row has channel `organic`; the nearest are `Organic Search`, `Organic Social`, "
    },
    {
      input: { hostname: "exampel.com", channel: "direct" },
      note: "No row has hostname `exampel.com`; there are only `www.example.com`, `shop.example.com`."
    },
    { input: { page_contains: "/blgo" }, note: "No page contains `/blgo`; there are only `/blog/a`, `/shop`." },
    { input: { page_contains: "/shop", channel: "Email" }, note: "Each filter alone has rows, but not all together." }
  ])(
    "a filter that matches nothing is told with the nearest values ($input)",
    ({ input, note }) =>
      Effect.gen(function*() {
        const { calls, provider } = fakeAnalytics([landing("/blog/a", 4), landing("/shop", 3)], {
          ...noSessions,
          values: { sessionDefaultChannelGroup: channels, hostName: ["www.example.com", "shop.example.com"] },
          isEmpty: (request) => request["dimensionFilter"] !== undefined
        })
        const output = yield* runTool(ga4TrafficByPage, provider, { property, ...input })
        assert.include(output["note"], `No sessions from 2026-09-07 to 2026-10-04 match. ${note}`)
        assert.lengthOf(calls, 2)
      })
  )

  it.effect("a window that is empty without the filter too is told", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([], noSessions)
      const output = yield* runTool(ga4TrafficByPage, provider, { property, channel: "organic" })
      assert.strictEqual(
        output["note"],
        "No sessions from 2026-09-07 to 2026-10-04 match. Without the filters there are none either."
      )
    }))

  it.effect("an empty result stays when the question about its filter fails", () =>
    Effect.gen(function*() {
      const { provider: analytics } = fakeAnalytics([], noSessions)
      let count = 0
      const provider: typeof analytics = {
        ...analytics,
        call: (endpoint, input, response) =>
          count++ === 0
            ? analytics.call(endpoint, input, response)
            : Effect.fail(new UpstreamError({ status: 500, details: null }))
      }
      const output = yield* runTool(ga4TrafficByPage, provider, { property, channel: "organic" })
      assert.deepInclude(output, { rows: [], note: "No sessions from 2026-09-07 to 2026-10-04 match." })
    }))

  it.effect("an offset past the last row is told", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([landing("/a", 4), landing("/b", 3)])
      const output = yield* runTool(ga4TrafficByPage, provider, { property, offset: 5 })
      assert.strictEqual(output["note"], "`offset` is past the last of 2 rows.")
    }))

  it.effect.each([
    { day: 19_999, hour: 39_000, project: 13_000, quota: { tokens_left_today: 19_999, tokens_left_hour: 13_000 } },
    { day: 150_000, hour: 3999, project: 13_000, quota: { tokens_left_today: 150_000, tokens_left_hour: 3999 } },
    { day: 150_000, hour: 30_000, project: 1399, quota: { tokens_left_today: 150_000, tokens_left_hour: 1399 } },
    { day: 20_000, hour: 4000, project: 1400, quota: undefined }
  ])(
    "shows the quota only when it is low: $day, $hour, $project",
    ({ day, hour, project, quota }) =>
      Effect.gen(function*() {
        const propertyQuota = {
          tokensPerDay: { consumed: 1, remaining: day },
          tokensPerHour: { consumed: 1, remaining: hour },
          tokensPerProjectPerHour: { consumed: 1, remaining: project },
          concurrentRequests: { consumed: 0, remaining: 10 }
        }
        const { provider } = fakeAnalytics([landing("/", 1)], { extra: { propertyQuota } })
        assert.deepStrictEqual((yield* runTool(ga4TrafficByPage, provider, { property }))["quota"], quota)
      })
  )

  it.effect("fails with the provider's error for a property without access", () =>
    Effect.gen(function*() {
      const refused = new UpstreamError({ status: 403, details: { error: { code: 403 } } })
      const { provider } = fakeProvider(() => Effect.fail(refused))
      assert.strictEqual(yield* Effect.flip(runTool(ga4TrafficByPage, provider, { property })), refused)
    }))
})
