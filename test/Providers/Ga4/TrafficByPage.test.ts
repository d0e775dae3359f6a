import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeAnalytics, landing, requestsOf } from "../../support/FakeAnalytics.ts"
import { assertFields, type Json, objectOf, objectsOf, runTool } from "../../support/RunTool.ts"

const rowsOf = (output: Json) => objectsOf(output["rows"])
const pagesOf = (output: Json) => rowsOf(output).map(({ page }) => page)
const property = "123"

type Landings = Parameters<typeof fakeAnalytics>[0]
type World = Parameters<typeof fakeAnalytics>[1]

const run = Effect.fnUntraced(function*(landings: Landings, input: Json = {}, world: World = {}) {
  const { calls, provider } = fakeAnalytics(landings, world)
  const output = yield* runTool(ga4TrafficByPage, provider, { property, ...input })
  return { calls, output, requests: calls.flatMap((call) => requestsOf(call.input)) }
})

const rangesOf = (requests: ReadonlyArray<Json>) =>
  new Set(requests.map(({ dateRanges }) => JSON.stringify(dateRanges)))

const one = [landing("/", 1)]
const september = "No sessions from 2026-09-07 to 2026-10-04 match."
const noSessions = { total: landing("", 0) }
const values = {
  sessionDefaultChannelGroup: ["Organic Search", "Direct", "Paid Search", "Organic Social", "Referral", "Email"],
  hostName: ["www.example.com", "shop.example.com"]
}
const filterless = { ...noSessions, values, isEmpty: (request: Json) => request["dimensionFilter"] !== undefined }
const quota = (day: number, hour: number, project: number) => ({
  extra: {
    propertyQuota: {
      tokensPerDay: { consumed: 1, remaining: day },
      tokensPerHour: { consumed: 1, remaining: hour },
      tokensPerProjectPerHour: { consumed: 1, remaining: project },
      concurrentRequests: { consumed: 0, remaining: 10 }
    }
  }
})
const everyFlag = {
  timeZone: "Pacific/Honolulu",
  subjectToThresholding: true,
  dataLossFromOtherRow: true,
  samplingMetadatas: [{ samplesReadCount: "100", samplingSpaceSize: "1000" }],
  dataTruncationReasons: [{ dataTruncationMessage: "Older events are gone." }],
  schemaRestrictionResponse: { activeMetricRestrictions: [{ metricName: "purchaseRevenue" }] },
  emptyReason: "NO_DATA"
}

const figures = (sessions: number, users: number, engagement_rate: number | null) => ({
  sessions,
  users,
  engagement_rate
})

describe("ga4_traffic_by_page", () => {
  it.effect("returns the window, totals, rows and page", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run([landing("/", 7, 5, 2), landing("/a", 3, 3, 3)])
      assert.deepStrictEqual(output, {
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
        metrics: ["sessions", "activeUsers", "engagedSessions", "engagementRate"].map((name) => ({ name })),
        returnPropertyQuota: true
      }
      const dimensions = [{ name: "landingPage" }]
      const isEmpty = { filter: { fieldName: "landingPage", emptyFilter: {} } }
      const requests = [
        {
          ...common,
          dimensionFilter: { andGroup: { expressions: [{ notExpression: isEmpty }] } },
          dimensions,
          orderBys: [
            { metric: { metricName: "sessions" }, desc: true },
            { dimension: { dimensionName: "landingPage" } }
          ],
          limit: "26",
          offset: "0",
          keepEmptyRows: false
        },
        common,
        { ...common, dimensionFilter: { andGroup: { expressions: [isEmpty] } }, dimensions }
      ]
      assert.deepStrictEqual<unknown>(calls, [
        { endpoint: "properties.batchRunReports", input: { path: { property: "123" }, body: { requests } } }
      ])
    }))

  it.effect.each<readonly [behaviour: string, landings: Landings, input: Json, answer: Json, world?: World]>([
    [
      "notes each quality flag of the report",
      one,
      {},
      {
        note: "Thresholding: rows with too few users are withheld. Sampling: estimated from 100 of 1000 events. " +
          "Cardinality: pages beyond the property's limit are rolled up into the page \"(other)\". " +
          "Truncation: Older events are gone. Restriction: the connection may not see purchaseRevenue. Empty: NO_DATA"
      },
      { extra: { metadata: everyFlag } }
    ],
    [
      "has the window in relative days without a time zone",
      one,
      {},
      { start: "28daysAgo", end: "yesterday", time_zone: null },
      { extra: { metadata: {} } }
    ],
    ["shortens a page after 300 characters", [landing(`/${"a".repeat(399)}`, 1)], {}, {
      rows: [{ page: `/${"a".repeat(299)}…(+100)`, sessions: 1, users: 1, engagement_rate: 0 }]
    }],
    [
      "has a null rate and a note with the days where there are no sessions",
      [],
      {},
      {
        rows: [],
        returned: 0,
        has_more: false,
        row_count: 0,
        totals: { sessions: 0, users: 0, engaged_sessions: 0, engagement_rate: null },
        note: september
      },
      noSessions
    ],
    [
      "notes a previous window without sessions",
      [landing("/a", 9)],
      { start: "2024-02-29", end: "2024-02-29", compare: "previous_year" },
      {
        previous_start: "2023-02-28",
        previous_end: "2023-02-28",
        note: "The previous window, 2023-02-28 to 2023-02-28, has no sessions."
      },
      { before: [] }
    ],
    [
      "makes one row of both spellings of no landing page, sorted with the others",
      [landing("/", 10), landing("(not set)", 8, 8, 4), landing("/a", 7), landing("", 4, 3, 2)],
      {},
      {
        rows: [
          { page: "(not set)", sessions: 12, users: 11, engagement_rate: 0.5 },
          { page: "/", sessions: 10, users: 10, engagement_rate: 0 },
          { page: "/a", sessions: 7, users: 7, engagement_rate: 0 }
        ],
        row_count: 3
      }
    ],
    ["shows a low quota of the day", one, {}, { quota: { tokens_left_today: 19_999, tokens_left_hour: 13_000 } }, {
      ...quota(19_999, 39_000, 13_000)
    }],
    ["shows a low quota of the hour", one, {}, { quota: { tokens_left_today: 150_000, tokens_left_hour: 3999 } }, {
      ...quota(150_000, 3999, 13_000)
    }],
    ["shows a low quota of the project", one, {}, { quota: { tokens_left_today: 150_000, tokens_left_hour: 1399 } }, {
      ...quota(150_000, 30_000, 1399)
    }],
    ["shows no quota that is not low", one, {}, { quota: undefined }, quota(20_000, 4000, 1400)]
  ])("%s", ([, landings, input, answer, world]) =>
    Effect.gen(function*() {
      const { output } = yield* run(landings, input, world)
      assertFields(output, answer)
    }))

  const unfinished = "Days after 2026-10-04 are not over yet, so their figures are incomplete."
  it.effect.each<readonly [input: Json, window: Json, sent: Json]>([
    [
      { days: 1 },
      { start: "2026-10-04", end: "2026-10-04", time_zone: "Pacific/Honolulu" },
      { startDate: "1daysAgo", endDate: "yesterday" }
    ],
    [{ start: "2026-09-01", end: "2026-10-04" }, { start: "2026-09-01", end: "2026-10-04" }, {
      startDate: "2026-09-01",
      endDate: "2026-10-04"
    }],
    [{ start: "2026-09-01", end: "2026-10-05" }, { start: "2026-09-01", end: "2026-10-05", note: unfinished }, {
      startDate: "2026-09-01",
      endDate: "2026-10-05"
    }]
  ])("the window %j is in the property's time zone", ([input, window, sent]) =>
    Effect.gen(function*() {
      const { output, requests } = yield* run(one, input)
      assert.deepInclude(output, window)
      assert.strictEqual(output["note"], window["note"])
      assert.deepStrictEqual([...rangesOf(requests)], [JSON.stringify([sent])])
    }))

  it.effect("filters apply to rows, totals and the (not set) row", () =>
    Effect.gen(function*() {
      const filters = [
        ["channel", "sessionDefaultChannelGroup", "EXACT", "Organic Search"],
        ["page_contains", "landingPage", "CONTAINS", "/blog/"],
        ["hostname", "hostName", "EXACT", "www.example.com"]
      ] as const
      const { output, requests } = yield* run(
        [landing("/blog/a", 4), landing("/shop", 9)],
        Object.fromEntries(filters.map(([field, , , value]) => [field, value]))
      )
      assert.deepStrictEqual(pagesOf(output), ["/blog/a"])
      assert.strictEqual(requests.length, 3)
      for (const request of requests) {
        const { expressions } = objectOf(objectOf(request["dimensionFilter"])["andGroup"])
        assert.deepStrictEqual<unknown>(
          objectsOf(expressions).slice(0, 3),
          filters.map(([, fieldName, matchType, value]) => ({
            filter: { fieldName, stringFilter: { matchType, value } }
          }))
        )
      }
    }))

  it.effect.each(["/%C3%BCber", "/Über"])(
    "page_contains %s finds pages that are percent-encoded and not",
    (text) =>
      Effect.gen(function*() {
        const landings = [landing("/%C3%BCber-uns", 4), landing("/über", 3), landing("/uber", 2)]
        const { output } = yield* run(landings, { page_contains: text })
        assert.deepStrictEqual(pagesOf(output), ["/%C3%BCber-uns", "/über"])
      })
  )

  it.effect("include_query_string groups pages with their query string", () =>
    Effect.gen(function*() {
      const { requests: [request = {}] } = yield* run([], { include_query_string: true, page_contains: "utm_" })
      assert.deepStrictEqual(request["dimensions"], [{ name: "landingPagePlusQueryString" }])
      assert.notInclude(JSON.stringify(request), "\"landingPage\"")
    }))

  it.effect("exclude_not_set leaves out both spellings of no landing page", () =>
    Effect.gen(function*() {
      const landings = [landing("/", 10), landing("(not set)", 8), landing("", 4)]
      const { output, requests } = yield* run(landings, { exclude_not_set: true })
      assert.deepStrictEqual(pagesOf(output), ["/"])
      assert.strictEqual(output["row_count"], 1)
      const filters = requests.map((request) => request["dimensionFilter"])
      assert.strictEqual(filters.length, 2)
      assert.deepStrictEqual(filters[0], filters[1])
    }))

  it.effect("compare adds the figures of the window before to the totals and to the rows of the page", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run(
        [landing("/a", 9, 8, 3), landing("/new", 5, 5, 5), landing("", 2, 1), landing("/b", 1)],
        { compare: "previous_period", limit: 3 },
        { before: [landing("/a", 4, 4, 2), landing("(not set)", 3, 2), landing("/b", 50)] }
      )
      assert.deepInclude(output, { previous_start: "2026-08-10", previous_end: "2026-09-06", has_more: true })
      assert.deepStrictEqual(output["rows"], [
        { page: "/a", ...figures(9, 8, 0.3333), previous: figures(4, 4, 0.5), change: figures(5, 4, -0.1667) },
        { page: "/new", ...figures(5, 5, 1), previous: figures(0, 0, null), change: figures(5, 5, null) },
        { page: "(not set)", ...figures(2, 1, 0), previous: figures(3, 2, 0), change: figures(-1, -1, 0) }
      ])
      assert.containSubset(output["totals"], {
        previous: { sessions: 57, users: 56, engaged_sessions: 2 },
        change: { sessions: -7, users: -26, engaged_sessions: 18 }
      })
      assert.lengthOf(calls, 2)
      const sent = [{ startDate: "2026-08-10", endDate: "2026-09-06" }]
      assert.deepStrictEqual([...rangesOf(requestsOf(calls[1]?.input ?? {}))], [JSON.stringify(sent)])
    }))

  it.effect.each<readonly [input: Json, note: string]>([
    [{ channel: "organic" }, "No row has channel `organic`; the nearest are `Organic Search`, `Organic Social`, "],
    [
      { hostname: "exampel.com", channel: "direct" },
      "No row has hostname `exampel.com`; there are only `www.example.com`, `shop.example.com`."
    ],
    [{ page_contains: "/blgo" }, "No page contains `/blgo`; there are only `/blog/a`, `/shop`."],
    [{ page_contains: "/shop", channel: "Email" }, "Each filter alone has rows, but not all together."]
  ])("the filter %j that matches nothing is told with the nearest values", ([input, note]) =>
    Effect.gen(function*() {
      const { calls, output } = yield* run([landing("/blog/a", 4), landing("/shop", 3)], input, filterless)
      assert.include(output["note"], `${september} ${note}`)
      assert.lengthOf(calls, 2)
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
      assert.deepInclude(output, { rows: [], note: september })
    }))

  it("following next_offset returns every page once, in the order of the complete list", () => {
    const landings = fc.uniqueArray(
      fc.record({
        page: fc.constantFrom("", "(not set)", "(other)", "/", "/a", "/b", "/c", "/d", "/e", "/f"),
        sessions: fc.integer({ min: 1, max: 4 }),
        users: fc.integer({ min: 0, max: 4 }),
        engaged: fc.integer({ min: 0, max: 1 })
      }),
      { selector: ({ page }) => page }
    )
    const isPaged = Effect.fnUntraced(function*(landings: Landings, limit: number) {
      const { provider } = fakeAnalytics(landings)
      const whole = yield* runTool(ga4TrafficByPage, provider, { property, limit: 500 })
      const seen: Array<Json> = []
      let offset: unknown = 0
      while (offset !== undefined) {
        const output: Json = yield* runTool(ga4TrafficByPage, provider, { property, limit, offset })
        assert.strictEqual(output["row_count"], rowsOf(whole).length)
        seen.push(...rowsOf(output))
        offset = output["next_offset"]
      }
      assert.deepStrictEqual(seen, [...rowsOf(whole)])
      const names = pagesOf(whole)
      assert.strictEqual(new Set(names).size, names.length)
      const sessions = rowsOf(whole).reduce((sum, row) => sum + Number(row["sessions"]), 0)
      assert.strictEqual(sessions, landings.reduce((sum, row) => sum + row.sessions, 0))
      const beyond = yield* runTool(ga4TrafficByPage, provider, { property, limit, offset: names.length + 1 })
      assert.deepInclude(beyond, { rows: [], has_more: false })
    })
    return fc.assert(
      fc.asyncProperty(
        landings,
        fc.integer({ min: 1, max: 4 }),
        (rows, limit) => Effect.runPromise(Effect.provide(isPaged(rows, limit), TestClock.layer()))
      ),
      { numRuns: 60 }
    )
  })
})
