import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { day, hour, startOfDay } from "../../src/Calls/Storage/LogDay.ts"
import { TestServer } from "../support/TestServer.ts"
import { DashboardTest, promise, signedIn, visit } from "./Fixture.ts"

const insertDays = Effect.fnUntraced(function*(days: ReadonlyArray<Readonly<Record<string, unknown>>>) {
  const sql = yield* SqlClient.SqlClient
  const rows = days.map((figures) => ({
    scope: "*",
    dimension: "all",
    hours: 24,
    value: "",
    latencies: "{100,100}",
    ...figures
  }))
  yield* sql`INSERT INTO call_stats ${sql.insert(rows)}`
  yield* sql`UPDATE call_stats_progress SET counted_until = ${new Date(Math.floor(Date.now() / hour) * hour)}`
})

layer(DashboardTest, { excludeTestServices: true })("The overview", (it) => {
  it.effect("compares its figures with the period before", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const page = yield* signedIn({ email: "ada@example.com", role: "admin" })
      const today = startOfDay(Date.now())
      yield* insertDays([
        { started_at: new Date(today - day), calls: 119, errors: 11, cached: 60, cost_usd: 0.01 },
        { started_at: new Date(today - 9 * day), calls: 100, errors: 6, cached: 40, cost_usd: 0 }
      ])
      const member = yield* server.admin.members.create({ payload: { email: "eve@example.com" } })
      const { key } = yield* server.admin.keys.create({ payload: { member_id: member.id, name: "Script" } })
      const failed = yield* server.call(key, { provider: "gsc", endpoint: "sites.list" })
      assert.strictEqual(failed.status, 404, failed.text)

      yield* visit(page, "/", "Overview")
      const says = (title: string, change: string) =>
        promise(() =>
          page.locator(".figures div", { has: page.getByText(title, { exact: true }) })
            .getByText(change, { exact: true }).waitFor({ state: "attached" })
        )
      yield* says("Calls", "up 20% from the 7 days before")
      yield* says("Calls", "↑ 20%")
      yield* says("Failed", "up 100% from the 7 days before")
      yield* says("p50 latency", "the same as in the 7 days before")
      yield* says("From the cache", "up 10.0 points from the 7 days before")
      yield* says("Cost", "up from 0 in the 7 days before")
      assert.deepStrictEqual(yield* promise(() => page.locator(".worse").allInnerTexts()), [
        "↑ 100%\nup 100% from the 7 days before"
      ])

      yield* visit(page, "/?period=last_month", "Overview")
      yield* says("Calls", "—")
      yield* says("Failed", "no calls in the month before")
    }).pipe(Effect.scoped))
})
