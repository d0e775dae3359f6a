import { assert, describe, it } from "@effect/vitest"
import { endOf, periodNames, periodOf, spanBefore, withEmptyBuckets } from "../../../src/Features/Stats/Page/Periods.ts"
import { changeOf } from "../../../src/Features/Stats/Page/Words.ts"

const iso = (millis: number) => new Date(millis).toISOString().slice(0, 16)

describe("Usage", () => {
  it("of last month is that of the calendar's month, also in January and after a leap day", () => {
    for (
      const [now, first, end] of [
        ["2026-01-31T23:59:59Z", "2025-12-01T00:00", "2026-01-01T00:00"],
        ["2028-03-01T00:00:00Z", "2028-02-01T00:00", "2028-03-01T00:00"]
      ] as const
    ) {
      const period = periodOf("last_month", Date.parse(now))
      assert.deepStrictEqual([iso(period.first), iso(endOf(period))], [first, end])
    }
  })

  it("is compared with as much time of the period before", () => {
    const now = Date.parse("2026-11-24T07:20:00Z")
    const spans = periodNames.map((name) => {
      const { since, until } = spanBefore(name, now)
      return [name, iso(since.getTime()), until && iso(until.getTime())]
    })
    assert.deepStrictEqual(spans, [
      ["day", "2026-11-22T08:00", "2026-11-23T07:20"],
      ["", "2026-11-11T00:00", "2026-11-17T07:20"],
      ["month", "2026-09-26T00:00", "2026-10-25T07:20"],
      ["last_month", "2026-09-01T00:00", "2026-10-01T00:00"]
    ])
  })

  it.each<[number | null, number | null, string, string]>([
    [120, 100, "↑ 20%", "up 20% from"],
    [50, 100, "↓ 50%", "down 50% from"],
    [1001, 1000, "=", "the same as in"],
    [3, 0, "↑ from 0", "up from 0 in"],
    [3, null, "—", "no calls in"],
    [null, 3, "—", "not to compare with"]
  ])("of %s after %s is %s", (now, before, sign, spoken) => {
    const change = changeOf(now, before)
    assert.deepStrictEqual([change.sign, change.spoken], [sign, spoken])
  })

  it("changes a share by points", () => {
    assert.strictEqual(changeOf(0.5, 0.4, true).sign, "↑ 10.0 points")
    assert.strictEqual(changeOf(0.2, 0, true).sign, "↑ 20.0 points")
    assert.strictEqual(changeOf(0.4001, 0.4, true).sign, "=")
  })

  it("has a bucket for each day, and no latency where nothing was called", () => {
    const period = periodOf("", Date.parse("2026-11-24T07:00:00Z"))
    const called = {
      start: new Date("2026-11-23T00:00:00Z"),
      calls: 3,
      errors: 1,
      cached: 0,
      p50_ms: 20,
      p95_ms: 40,
      cost_usd: 0
    }
    const buckets = withEmptyBuckets([called], period)
    assert.deepStrictEqual(buckets.map(({ calls }) => calls), [0, 0, 0, 0, 0, 3, 0])
    assert.deepStrictEqual(buckets.map(({ p50_ms }) => p50_ms), [null, null, null, null, null, 20, null])
  })
})
