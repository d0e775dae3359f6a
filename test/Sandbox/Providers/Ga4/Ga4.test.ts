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

const sessions = { ...weeks, metrics: names("sessions") }
const lacks = (what: string) => `The sandbox does not carry out ${what}; the provider does.`

const refusals: ReadonlyArray<readonly [number, object, string]> = [
  [400, {}, "Expected at least one date range"],
  [400, { ...weeks, dimensions: names("county") }, "Field county is not a valid dimension. For a list of valid"],
  [400, { ...weeks, metrics: names("session") }, "Did you mean sessions? Field session is not a valid metric."],
  [400, { ...sessions, foo: 1 }, "Unknown name \"foo\": Cannot find field."],
  [501, { ...weeks, metrics: names("active7DayUsers") }, lacks("reports of the metric active7DayUsers")],
  [501, { ...weeks, metrics: [{ expression: "sessions/activeUsers" }] }, lacks("metric expressions")],
  [
    501,
    { ...sessions, dimensions: [{ name: "c", dimensionExpression: { lowerCase: { dimensionName: "city" } } }] },
    lacks("dimension expressions")
  ],
  [501, { ...sessions, metricAggregations: ["MAXIMUM"] }, lacks("the metric aggregation MAXIMUM")],
  [501, { ...sessions, comparisons: [{ comparison: "comparisons/1" }] }, lacks("comparisons")]
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

  for (const [status, body, message] of refusals) {
    it.effect(`refuses a report with ${status}: ${message}`, () =>
      Effect.gen(function*() {
        const refused = yield* run(shop, body)
        assert.strictEqual(refused.status, status)
        assert.include(String(at(refused.text, "error", "message")), message)
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
    const [property, status] of [
      ["999", 403],
      ["G-ABC123", 400]
    ] as const
  ) {
    it.effect(`responds ${status} to property ${property}`, () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* run(property, sessions)).status, status)
        assert.strictEqual((yield* request(`${property}/metadata`)).status, status)
      }))
  }
})
