import { assert, describe, it } from "@effect/vitest"
import { csvOf } from "../../src/Dashboard/Usage/Csv.ts"
import { endOf, periodOf, withEmptyBuckets } from "../../src/Dashboard/Usage/Periods.ts"

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

  it("as CSV keeps names whole, and starts no formula", () => {
    assert.strictEqual(
      csvOf([["client", "calls"], ["Fern, \"Hill\"", 3], ["=HYPERLINK(1)", -1]]),
      "client,calls\r\n\"Fern, \"\"Hill\"\"\",3\r\n'=HYPERLINK(1),-1\r\n"
    )
  })
})
