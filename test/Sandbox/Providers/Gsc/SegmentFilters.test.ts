import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { filtered, keysOf, query, reportOf } from "./Fixture.ts"

const cases: ReadonlyArray<readonly [string, string, string, (value: string) => boolean]> = [
  ["query", "equals", "compost bin", (value) => value === "compost bin"],
  ["query", "EQUALS", "Compost Bin", () => false],
  ["query", "notEquals", "compost bin", (value) => value !== "compost bin"],
  ["query", "contains", "COMPOST", (value) => value.includes("compost")],
  ["query", "NOT_CONTAINS", "compost", (value) => !value.includes("compost")],
  ["query", "includingRegex", "^(how|what) .*(roses|march)", (value) => /^(how|what) .*(roses|march)/.test(value)],
  ["query", "includingRegex", "(?i)ROSES", (value) => value.includes("roses")],
  ["query", "excludingRegex", "(?i)(?:fernhill|fern hill)", (value) => !/fernhill|fern hill/.test(value)],
  ["query", "includingRegex", String.raw`\Qc++\E`, (value) => value.includes("c++")],
  ["query", "includingRegex", String.raw`\p{Han}`, (value) => value === "剪定ばさみ"],
  ["page", "contains", "/PRODUCTS/", (value) => value.includes("/products/")],
  [
    "page",
    "equals",
    "https://blog.fernhill.example/how-to-prune-roses",
    (value) => value.endsWith("/how-to-prune-roses")
  ],
  ["country", "equals", "USA", (value) => value === "usa"],
  ["device", "equals", "mobile", (value) => value === "MOBILE"]
]

layer(sandboxAt(now))("Filters", (it) => {
  for (const [dimension, operator, expression, keeps] of cases) {
    it.effect(`${dimension} ${operator} ${expression}`, () =>
      Effect.gen(function*() {
        const all = keysOf((yield* reportOf({ dimensions: [dimension] })).rows)
        const kept = keysOf(
          (yield* reportOf({ dimensions: [dimension], ...filtered(dimension, operator, expression) })).rows
        )
        assert.sameMembers(kept, all.filter(keeps))
        assert.isBelow(kept.length, all.length)
      }))
  }

  it.effect("all groups of filters apply, also to dimensions outside the report", () =>
    Effect.gen(function*() {
      const device = { dimension: "device", expression: "TABLET" }
      const [compost, bin] = ["compost", "bin"].map((expression) => ({
        dimension: "query",
        operator: "contains",
        expression
      }))
      const narrow = yield* reportOf({
        dimensions: ["query"],
        dimensionFilterGroups: [{ groupType: "AND", filters: [compost, bin] }, { filters: [device] }]
      })
      const wide = yield* reportOf({ dimensions: ["query", "device"] })
      assert.deepStrictEqual(
        narrow.rows.map(({ impressions, keys = [] }) => [keys[0], impressions]).toSorted(),
        wide.rows
          .filter(({ keys: [query = "", kind] = [] }) =>
            query.includes("compost") && query.includes("bin") && kind === "TABLET"
          )
          .map(({ impressions, keys = [] }) => [keys[0], impressions])
          .toSorted()
      )
    }))

  for (const expression of ["(", "a(?=b)", "(?<!a)b", String.raw`(a)\1`]) {
    it.effect(`rejects the regular expression ${expression}`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* query(filtered("query", "includingRegex", expression))
        assert.strictEqual(status, 400)
        assert.include(text, "Invalid regular expression")
      }))
  }
})
