import { assert, describe, it } from "@effect/vitest"
import { histogramBars, histogramQuery, histogramSpan } from "../../../src/Features/Stats/Page/Histogram.ts"
import {
  endOf,
  periodNameOf,
  periodNames,
  periodOf,
  spanBefore,
  spanOf,
  withEmptyBuckets
} from "../../../src/Features/Stats/Page/Periods.ts"
import { changeOf } from "../../../src/Features/Stats/Page/StatsWords.ts"

const at = (text: string) => new Date(`2026-11-${text}Z`)

const iso = (millis: number) => new Date(millis).toISOString().slice(0, 16)

describe("Usage", () => {
  it("of last month is that of the calendar's month, also in January and after a leap day", () => {
    const months = [
      ["2026-01-31T23:59:59Z", "2025-12-01T00:00", "2026-01-01T00:00"],
      ["2028-03-01T00:00:00Z", "2028-02-01T00:00", "2028-03-01T00:00"]
    ] as const
    for (const [now, first, end] of months) {
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
      ["this_month", "2026-10-01T00:00", "2026-10-24T07:20"],
      ["last_month", "2026-09-01T00:00", "2026-10-01T00:00"]
    ])
  })

  it("is of whole days that a person chose, of which the last may not have ended", () => {
    const now = Date.parse("2026-11-24T07:20:00Z")
    const chosen = [
      ["2026-11-01..2026-11-10", "2026-11-01T00:00", "2026-11-11T00:00", "2026-10-22T00:00–2026-11-01T00:00"],
      ["2026-11-24..2026-11-24", "2026-11-24T00:00", undefined, "2026-11-23T00:00–2026-11-23T07:20"],
      // More than the service tells, and the wrong way round: the last 7 days.
      ["2026-01-01..2026-11-24", "2026-11-18T00:00", undefined, "2026-11-11T00:00–2026-11-17T07:20"],
      ["2026-11-10..2026-11-01", "2026-11-18T00:00", undefined, "2026-11-11T00:00–2026-11-17T07:20"]
    ] as const
    for (const [text, since, until, before] of chosen) {
      const name = periodNameOf(text)
      const span = spanOf(name, now)
      const earlier = spanBefore(name, now)
      assert.deepStrictEqual(
        [span.since, span.until, earlier.since, earlier.until].map((time) => time && iso(time.getTime())),
        [since, until, ...before.split("–")],
        text
      )
    }
  })

  it.each<[number | null, number | null, string?, string?]>([
    [120, 100, "↑ 20%", "up 20% from"],
    [50, 100, "↓ 50%", "down 50% from"],
    [1001, 1000, "same", "the same as in"],
    [3, 0, "↑ from 0", "up from 0 in"],
    [3, null],
    [null, 3]
  ])("of %s after %s is %s", (now, before, sign, spoken) => {
    const change = changeOf(now, before)
    assert.deepStrictEqual([change?.sign, change?.spoken], [sign, spoken])
  })

  it("changes a share by points", () => {
    assert.strictEqual(changeOf(0.5, 0.4, true)?.sign, "↑ 10.0 points")
    assert.strictEqual(changeOf(0.2, 0, true)?.sign, "↑ 20.0 points")
    assert.strictEqual(changeOf(0.4001, 0.4, true)?.sign, "same")
  })

  it("has a bucket for each day, and no latency where nothing was called", () => {
    const period = periodOf("", Date.parse("2026-11-24T07:00:00Z"))
    const called = {
      start: new Date("2026-11-23T00:00:00Z"),
      calls: 3,
      errors: 1,
      refused: 0,
      cached: 0,
      p50_ms: 20,
      p95_ms: 40,
      cost_usd: 0
    }
    const buckets = withEmptyBuckets([called], period)
    assert.deepStrictEqual(buckets.map(({ calls }) => calls), [0, 0, 0, 0, 0, 3, 0])
    assert.deepStrictEqual(buckets.map(({ p50_ms }) => p50_ms), [null, null, null, null, null, 20, null])
  })

  it("of a list of calls is by hour or day, and only where the service keeps figures", () => {
    const now = Date.parse("2026-11-24T07:20:00Z")
    const spans = [
      [{}, "day", 30, 0],
      [{ since: at("10T00:00") }, "day", 15, 0],
      [{ since: at("23T07:20") }, "hour", 25, 0],
      [{ since: at("20T00:00"), until: at("21T00:00") }, "hour", 24, 0],
      [{ since: at("20T09:00"), until: at("20T10:00") }, "hour", 24, 1]
    ] as const
    for (const [filter, bucket, count, chosen] of spans) {
      const span = histogramSpan(filter, now)
      assert(span)
      const bars = histogramBars([], filter, span, now)
      const found = [span.bucket, bars.length, bars.filter(({ isChosen }) => isChosen).length]
      assert.deepStrictEqual(found, [bucket, count, chosen])
    }
    for (const since of [at("23T07:20"), at("10T07:20")]) {
      const span = histogramSpan({ since }, now)
      assert(span)
      assert.deepStrictEqual(histogramBars([], { since }, span, now)[0]?.start, since)
    }
    const backwards = { since: at("24T08:00"), until: at("24T07:00") }
    for (const filter of [{ since: at("25T00:00") }, backwards]) assert.isUndefined(histogramSpan(filter, now))
    const queries = [
      [{ outcome: "error", since: at("01T00:00") }, {}],
      [{ client_id: "cli_1" }, { group_by: "client", group: "cli_1" }],
      [{ resource: "gsc:x" }, undefined],
      [{ client_id: "cli_1", provider: "gsc" }, undefined]
    ] as const
    for (const [filter, query] of queries) assert.deepStrictEqual(histogramQuery(filter), query)
  })

  it.each(
    [
      [{}, 6, 2],
      [{ outcome: "error" }, 0, 2],
      [{ outcome: "ok" }, 6, 0],
      [{ cached: true }, 1, 0],
      [{ cached: false }, 5, 2]
    ] as const
  )("of the calls of %j has %s that succeeded and %s that failed", (filter, succeeded, failed) => {
    const start = new Date("2026-11-24T00:00:00Z")
    const bucket = { start, group: null, calls: 8, errors: 2, refused: 0, cached: 1, p50_ms: 1, p95_ms: 1, cost_usd: 0 }
    const now = start.getTime() + 1
    const span = histogramSpan(filter, now)
    assert(span)
    const last = histogramBars([bucket], filter, span, now).at(-1)
    assert.deepStrictEqual([last?.succeeded, last?.failed], [succeeded, failed])
  })
})
