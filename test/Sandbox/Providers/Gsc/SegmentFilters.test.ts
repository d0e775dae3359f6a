import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { filtered, keysOf, reportOf } from "./Fixture.ts"

const cases: ReadonlyArray<readonly [string, string, string, (value: string) => boolean]> = [
  ["query", "equals", "compost bin", (value) => value === "compost bin"],
  ["query", "contains", "COMPOST", (value) => value.includes("compost")],
  ["query", "includingRegex", "^(how|what) .*(roses|march)", (value) => /^(how|what) .*(roses|march)/.test(value)],
  ["query", "excludingRegex", "(?i)(?:fernhill|fern hill)", (value) => !/fernhill|fern hill/.test(value)],
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
})
