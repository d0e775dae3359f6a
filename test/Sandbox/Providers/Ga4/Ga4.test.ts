import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { names, request, run, shop, weeks } from "./Fixture.ts"

const accounts = (query = "") =>
  Effect.flatMap(
    accessToken("google", scopes.analyticsReadonly),
    (token) => send("ga4Admin", `/v1beta/accountSummaries${query}`, { token })
  )

const ten = names(..."abcdefghij")

const today = { startDate: "today", endDate: "today" }

const invalidReports: ReadonlyArray<readonly [object, string]> = [
  [{}, "A dateRange is required."],
  [weeks, "at least one dimension or metric"],
  [{ ...weeks, dimensions: ten }, "9 dimensions"],
  [
    { ...weeks, dimensions: names("county") },
    "Field county is not a valid dimension. For a list of valid dimensions and metrics, see " +
    "https://developers.google.com/analytics/devguides/reporting/data/v1/api-schema"
  ],
  [{ ...weeks, metrics: names("session") }, "Did you mean sessions? Field session is not a valid metric."],
  [{ ...weeks, metrics: [{ expression: "sessions/people" }] }, "Field people is not a valid metric."],
  [
    { metrics: names("sessions"), dateRanges: [{ startDate: "2026-02-30", endDate: "today" }] },
    "Invalid startDate : 2026-02-30"
  ],
  [{ metrics: names("sessions"), dateRanges: Array.from({ length: 5 }, () => today) }, "4 dateRanges"],
  [{ ...weeks, metrics: names("sessions"), dimensionFilter: { filter: { fieldName: "city" } } }, "no condition"],
  [{ ...weeks, metrics: names("sessions"), foo: 1 }, "Unknown name \"foo\": Cannot find field."],
  [
    { ...weeks, dimensionFilter: { filter: { fieldName: "city", stringFilter: { matchType: "LIKE" } } } },
    "Invalid value at 'dimension_filter.filter.string_filter.match_type' " +
    "(type.googleapis.com/google.analytics.data.v1beta.Filter.StringFilter.MatchType), \"LIKE\""
  ]
]

layer(sandboxAt(now))("Analytics", (it) => {
  it.effect("has three properties in two accounts, one of them a roll-up", () =>
    Effect.gen(function*() {
      const { text } = yield* accounts()
      const [first, second] = [0, 1].map((index) => Object(at(text, "accountSummaries", index)).propertySummaries)
      assert.deepStrictEqual([first.length, second.length], [2, 1])
      assert.strictEqual(first[1].propertyType, "PROPERTY_TYPE_ROLLUP")
      assert.isUndefined(at(text, "nextPageToken"))
    }))

  it.effect("lists accounts page by page", () =>
    Effect.gen(function*() {
      const first = yield* accounts("?pageSize=1")
      const second = yield* accounts(`?pageSize=1&pageToken=${at(first.text, "nextPageToken")}`)
      assert.deepStrictEqual([first, second].map(({ text }) => at(text, "accountSummaries", 0, "account")), [
        "accounts/41000001",
        "accounts/42000001"
      ])
      const last = yield* accounts(`?pageSize=1&pageToken=${String(at(second.text, "nextPageToken"))}`)
      assert.strictEqual(at(last.text, "accountSummaries", 0, "propertySummaries", "length"), 8)
      assert.isUndefined(at(last.text, "nextPageToken"))
      for (const query of ["?pageToken=nonsense", "?pageSize=-1", "?pageSize=many"]) {
        assert.strictEqual((yield* accounts(query)).status, 400)
      }
    }))

  it.effect("requires analytics.edit or readonly for accounts, analytics or readonly for data", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.analyticsEdit)
      assert.strictEqual((yield* send("ga4Admin", "/v1beta/accountSummaries", { token })).status, 200)
      assert.strictEqual((yield* send("ga4Data", "/v1beta/properties/0/metadata", { token })).status, 403)
    }))

  for (const [body, message] of invalidReports) {
    it.effect(`rejects a report: ${message.slice(0, 70)} (${JSON.stringify(body).slice(0, 60)})`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* run(shop, body)
        assert.strictEqual(status, 400)
        assert.include(String(at(text, "error", "message")), message)
      }))
  }

  for (
    const body of [
      { dimensions: names("landingPage") },
      { metrics: names("sessions") },
      { metrics: names("activeUsers"), minuteRanges: [{ startMinutesAgo: 1, endMinutesAgo: 2 }] }
    ]
  ) {
    it.effect(`rejects a realtime report with ${JSON.stringify(body)}`, () =>
      Effect.map(run(shop, body, "runRealtimeReport"), ({ status }) => assert.strictEqual(status, 400)))
  }

  for (
    const [property, status, more] of [
      ["999", 403, {}],
      ["G-ABC123", 400, {}],
      [shop, 501, { cohortSpec: { cohorts: [] } }]
    ] as const
  ) {
    it.effect(`responds ${status} to property ${property}`, () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* run(property, { ...weeks, metrics: names("sessions"), ...more })).status, status)
        if (status !== 501) assert.strictEqual((yield* request(`${property}/metadata`)).status, status)
      }))
  }
})
