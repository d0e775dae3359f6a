import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import { mergeStats } from "../../../../src/Calls/Log/MergeStats.ts"
import { statsOf } from "../../../../src/Calls/Log/Stats/MemoryStats.ts"
import type { LoggedCall } from "../../../../src/Domain/Calls/Call.ts"
import { CallId } from "../../../../src/Domain/Ids.ts"
import { neverUndone } from "../../../support/NeverUndone.ts"
import { plainCall } from "../../../support/PlainCall.ts"

const callAt = (time: string, more: Partial<LoggedCall> = {}): LoggedCall => ({
  id: CallId.make(`call_${"0".repeat(26)}`),
  ...plainCall,
  latency_ms: 10,
  cost_usd: 0.1,
  ...neverUndone,
  created_at: new Date(`2026-03-${time}Z`),
  ...more
})

const [since, until] = [new Date("2026-03-09T12:00Z"), new Date("2026-03-11T12:00Z")]

describe("The statistics of calls in memory", () => {
  it("count by day and group, in order of time", () => {
    const calls = [
      callAt("11T11:59:59", { provider: null, error_code: "invalid_json", cost_usd: 0 }),
      callAt("10T13:00"),
      callAt("10T14:00", { cached: true, cost_usd: 0.2 }),
      callAt("10T00:00", { provider: "ga4" }),
      callAt("09T11:59:59"),
      callAt("11T12:00")
    ]
    const { buckets, truncated } = statsOf(calls, { since, until, bucket: "day", group_by: "provider" })
    const [day, next] = [new Date("2026-03-10"), new Date("2026-03-11")]
    assert.deepStrictEqual(buckets.map((bucket) => Struct.omit(bucket, ["p50_ms", "p95_ms"])), [
      { start: day, group: "ga4", calls: 1, errors: 0, refused: 0, cached: 0, cost_usd: 0.1 },
      { start: day, group: "gsc", calls: 2, errors: 0, refused: 0, cached: 1, cost_usd: 0.3 },
      { start: next, group: null, calls: 1, errors: 1, refused: 1, cached: 0, cost_usd: 0 }
    ])
    assert.isFalse(truncated)
  })

  it("have exact percentiles, and at most 1000 buckets", () => {
    const calls = Array.from(
      { length: 1001 },
      (_, number) => callAt("10T13:00", { latency_ms: 1001 - number, target: `tool:${number}` })
    )
    const { buckets: [bucket] } = statsOf(calls, { since, until, bucket: "hour" })
    assert.deepInclude(bucket, { group: null, calls: 1001, p50_ms: 501, p95_ms: 951 })
    const { buckets, truncated } = statsOf(calls, { since, until, bucket: "hour", group_by: "target" })
    assert.deepStrictEqual([buckets.length, truncated], [1000, true])
  })
})

const row = (date: number, value: string, latencies: string) => ({
  start: new Date(Date.UTC(2026, 2, date)),
  value,
  calls: 1,
  errors: 2,
  refused: 1,
  cached: 3,
  cost: 4,
  latencies
})

describe("The statistics of two stores", () => {
  it("are added, in order of time and value", () => {
    const merged = mergeStats([row(11, "a", "1,1"), row(10, "b", "2,1"), row(10, "a", "3,1"), row(11, "a", "4,1")])
    const added = { ...row(11, "a", "1,1,4,1"), calls: 2, errors: 4, refused: 2, cached: 6, cost: 8 }
    assert.deepStrictEqual(merged, [row(10, "a", "3,1"), row(10, "b", "2,1"), added])
  })
})
