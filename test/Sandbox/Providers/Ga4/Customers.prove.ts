import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxAt } from "../../SandboxFixture.ts"
import { names, reportOf, sum } from "./Fixture.ts"

const market = "430000031"

const on = (day: string) => ({ dateRanges: [{ startDate: day, endDate: day }] })

const dimensions = names("landingPagePlusQueryString", "sessionSourceMedium", "city", "browser", "hour")
const metrics = names("sessions", "totalUsers")

layer(sandboxAt("2026-11-24T12:00:00Z"))("Analytics of a large customer", (it) => {
  it.effect("has a report of more than 100,000 rows of a day, in pages without a gap", () =>
    Effect.gen(function*() {
      const day = on("2025-11-28")
      const whole = yield* reportOf({ ...day, dimensions, metrics, limit: "250000" }, market)
      assert.isAbove(whole.rowCount, 100_000)
      assert.lengthOf(whole.rows, whole.rowCount)
      const total = yield* reportOf({ ...day, metrics }, market)
      assert.strictEqual(sum(whole.rows), sum(total.rows))
      const second = yield* reportOf({ ...day, dimensions, metrics, limit: "1000", offset: "100000" }, market)
      assert.deepStrictEqual(second.rows, whole.rows.slice(100_000, 101_000))
    }))
})
