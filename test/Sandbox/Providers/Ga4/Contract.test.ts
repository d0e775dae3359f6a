import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ga4 } from "../../../../src/Providers/Ga4/Provider.ts"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { type GoogleOrigin, responseFaults } from "../../../support/Discovery.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"
import { empty, names, rollUp, shop, weeks } from "./Fixture.ts"

const metrics = names("sessions", "purchaseRevenue", "averageSessionDuration")

const calls: ReadonlyArray<readonly [GoogleOrigin, string, string, object]> = [
  ["ga4Admin", "analyticsadmin.accountSummaries.list", "accountSummaries.list", { query: { pageSize: 1 } }],
  ["ga4Data", "analyticsdata.properties.runReport", "properties.runReport", {
    path: { property: rollUp },
    body: {
      ...weeks,
      metrics,
      dimensions: names("landingPage", "date"),
      metricAggregations: ["TOTAL", "MINIMUM", "MAXIMUM"],
      returnPropertyQuota: true
    }
  }],
  ["ga4Data", "analyticsdata.properties.runReport", "properties.runReport", {
    path: { property: empty },
    body: { ...weeks, metrics }
  }],
  ["ga4Data", "analyticsdata.properties.runRealtimeReport", "properties.runRealtimeReport", {
    path: { property: shop },
    body: { dimensions: names("country"), metrics: names("activeUsers") }
  }],
  ["ga4Data", "analyticsdata.properties.getMetadata", "properties.getMetadata", { path: { property: shop } }]
]

layer(clientsOf(sandboxAt(now)))("Analytics through the service", (it) => {
  for (const [origin, method, endpoint, input] of calls) {
    it.effect(`${endpoint} matches the discovery document (${JSON.stringify(input).slice(0, 60)})`, () =>
      Effect.gen(function*() {
        const { access } = yield* oauthConnection(google, scopes.analyticsReadonly)
        const text = yield* call(ga4, endpoint, input, access)
        assert.deepStrictEqual(responseFaults(origin, method, at(text)), [])
        assert.isAbove(text.length, 40)
      }))
  }

  it.effect("ga4_traffic_by_page merges unset pages and has correct user totals", () =>
    Effect.gen(function*() {
      const { access } = yield* oauthConnection(google, scopes.analyticsReadonly)
      const text = yield* call(ga4, "ga4_traffic_by_page", { property: rollUp, limit: 500 }, access)
      const rows = Array.from({ length: Number(at(text, "returned")) }, (_, index) => ({
        page: at(text, "rows", index, "page"),
        sessions: Number(at(text, "rows", index, "sessions")),
        users: Number(at(text, "rows", index, "users"))
      }))
      assert.deepStrictEqual([at(text, "start"), at(text, "end"), at(text, "time_zone")], [
        "2026-02-18",
        "2026-03-17",
        "Europe/London"
      ])
      assert.lengthOf(rows.filter(({ page }) => page === "(not set)"), 1)
      assert.isFalse(rows.some(({ page }) => page === ""))
      assert.strictEqual(rows.reduce((total, { sessions }) => total + sessions, 0), at(text, "totals", "sessions"))
      assert.isAbove(rows.reduce((total, { users }) => total + users, 0), Number(at(text, "totals", "users")))
    }))

  it.effect("ga4_list_properties lists all three properties", () =>
    Effect.gen(function*() {
      const { access } = yield* oauthConnection(google, scopes.analyticsReadonly)
      const text = yield* call(ga4, "ga4_list_properties", {}, access)
      assert.strictEqual(at(text, "total"), 3)
      assert.sameMembers([0, 1, 2].map((index) => at(text, "properties", index, "property_id")), [shop, rollUp, empty])
    }))
})
