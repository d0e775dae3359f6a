import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxAt } from "../../SandboxFixture.ts"
import { filtered, keysOf, reportOf, type Row, sum } from "./Fixture.ts"

const market = "sc-domain:harbourmarket.example"

const today = "2026-11-24"

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

layer(sandboxAt(`${today}T12:00:00Z`))("Search Console of a large customer", (it) => {
  it.effect("gives an ordinary day whole, once, without the queries that it withholds", () =>
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

  it.effect("gives 50,000 rows of 100,000, which the devices of its largest country have", () =>
    Effect.gen(function*() {
      const day = "2026-10-31"
      const countries = yield* byCountry(day)
      assert.deepStrictEqual(countries.filter(({ rows }) => rows.length >= cap).map(({ country }) => country), ["gbr"])
      const devices = yield* byDevice(day, "gbr")
      assert.isEmpty(devices.filter((rows) => rows.length >= cap))
      const others = countries.filter(({ country }) => country !== "gbr").flatMap(({ rows }) => rows)
      assert.strictEqual(pairsOf([...others, ...devices.flat()]).size, 100_000)
    }))
})
