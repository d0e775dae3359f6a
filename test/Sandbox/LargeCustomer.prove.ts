import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { longestHold, maxHoldMillis } from "../support/EventLoop.ts"
import * as ga4 from "./Providers/Ga4/Fixture.ts"
import { filtered, keysOf, query, reportOf, type Row, sum } from "./Providers/Gsc/Fixture.ts"
import { now, sandboxAt } from "./SandboxFixture.ts"

const market = "sc-domain:harbourmarket.example"

const reportOn = (day: string, body: object = {}, site = market) =>
  Effect.map(
    Effect.forEach([0, 25_000, 50_000], (startRow) =>
      reportOf({ startDate: day, endDate: day, dimensions: ["query", "page"], startRow, ...body }, site)),
    (pages) =>
      pages.flatMap(({ rows }) => rows)
  )

const totalOn = (day: string, body: object = {}) =>
  Effect.map(
    reportOf({ startDate: day, endDate: day, dimensions: [], ...body }, market),
    ({ rows }) => sum(rows, "clicks")
  )

const pairsOf = (rows: ReadonlyArray<Row>) => new Set(rows.map(({ keys = [] }) => keys.join(" ")))

const byCountry = (day: string) =>
  Effect.gen(function*() {
    const countries = yield* reportOf({ startDate: day, endDate: day, dimensions: ["country"] }, market)
    return yield* Effect.forEach(
      keysOf(countries.rows),
      (country) => Effect.map(reportOn(day, filtered("country", "equals", country)), (rows) => ({ country, rows }))
    )
  })

const byDevice = (day: string, country: string) =>
  Effect.forEach(["MOBILE", "DESKTOP", "TABLET"], (device) => {
    const filters = [["country", country], ["device", device]].map(([dimension, expression]) => ({
      dimension,
      operator: "equals",
      expression
    }))
    return reportOn(day, { dimensionFilterGroups: [{ filters }] })
  })

const cap = 50_000

layer(sandboxAt("2026-11-24T12:00:00Z"))("A large customer", (it) => {
  it.effect("has an ordinary day of Search Console whole, once, without the queries that it withholds", () =>
    Effect.gen(function*() {
      const day = "2026-11-11"
      const rows = yield* reportOn(day)
      assert.isBelow(rows.length, cap)
      assert.strictEqual(pairsOf(rows).size, rows.length)
      const coverage = sum(rows, "clicks") / (yield* totalOn(day))
      assert.isAbove(coverage, 0.5)
      assert.isBelow(coverage, 1)
      const countries = yield* byCountry(day)
      assert.strictEqual(countries.reduce((total, { rows }) => total + sum(rows, "clicks"), 0), sum(rows, "clicks"))
      assert.deepStrictEqual(pairsOf(countries.flatMap(({ rows }) => rows)), pairsOf(rows))
    }))

  it.effect("has 50,000 rows of 100,000, which the devices of its largest country have", () =>
    Effect.gen(function*() {
      const day = "2026-10-31"
      const countries = yield* byCountry(day)
      assert.deepStrictEqual(countries.filter(({ rows }) => rows.length >= cap).map(({ country }) => country), ["gbr"])
      const devices = yield* byDevice(day, "gbr")
      assert.isEmpty(devices.filter((rows) => rows.length >= cap))
      const others = countries.filter(({ country }) => country !== "gbr").flatMap(({ rows }) => rows)
      assert.strictEqual(pairsOf([...others, ...devices.flat()]).size, 100_000)
    }))

  it.effect("has an Analytics report of more than 100,000 rows of a day, in pages without a gap", () =>
    Effect.gen(function*() {
      const day = { dateRanges: [{ startDate: "2025-11-28", endDate: "2025-11-28" }] }
      const metrics = ga4.names("sessions", "totalUsers")
      const report = (more: object) => ga4.reportOf({ ...day, metrics, ...more }, "430000031")
      const dimensions = ga4.names("landingPagePlusQueryString", "sessionSourceMedium", "city", "browser", "hour")
      const whole = yield* report({ dimensions, limit: "250000" })
      assert.isAbove(whole.rowCount, 100_000)
      assert.lengthOf(whole.rows, whole.rowCount)
      assert.strictEqual(ga4.sum(whole.rows), ga4.sum((yield* report({})).rows))
      const second = yield* report({ dimensions, limit: "1000", offset: "100000" })
      assert.deepStrictEqual(second.rows, whole.rows.slice(100_000, 101_000))
    }))
})

const patterns = [
  "^(([a-z ])+.)+[A-Z]([a-z])+$",
  "^(\\w+\\s?)+$!",
  "(x+x+)+y",
  "(.*a){25}Q",
  "^((.*)(.*)){40}[A-Z]$",
  ".?".repeat(450) + "[A-Z]$"
]

layer(sandboxAt(now))("A filter by regular expression", (it) => {
  for (const pattern of patterns) {
    it.effect(`does not hold the process for ${pattern.slice(0, 30)}`, () =>
      Effect.gen(function*() {
        yield* query(filtered("query", "contains", "compost"))
        const search = query(filtered("query", "includingRegex", pattern))
        assert.isBelow(yield* longestHold(search), maxHoldMillis)
      }))
  }
})
