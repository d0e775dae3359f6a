import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { names, request, run, shop, weeks } from "./Fixture.ts"

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
