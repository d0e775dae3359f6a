import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeAnalytics, landing, requestsOf } from "../../support/FakeAnalytics.ts"
import { type Json, objectsOf, runTool } from "../../support/RunTool.ts"

const rowsOf = (output: Json) => objectsOf(output["rows"])
const pagesOf = (output: Json) => rowsOf(output).map(({ page }) => page)
const property = "123"

describe("Landing pages", () => {
  it.effect("both spellings of no landing page become one row, sorted with the others", () =>
    Effect.gen(function*() {
      const { provider } = fakeAnalytics([
        landing("/", 10),
        landing("(not set)", 8, 8, 4),
        landing("/a", 7),
        landing("", 4, 3, 2)
      ])
      const output = yield* runTool(ga4TrafficByPage, provider, { property })
      assert.deepStrictEqual(rowsOf(output)[0], { page: "(not set)", sessions: 12, users: 11, engagement_rate: 0.5 })
      assert.deepStrictEqual(pagesOf(output), ["(not set)", "/", "/a"])
      assert.strictEqual(output["row_count"], 3)
    }))

  it.effect("exclude_not_set leaves out both spellings of no landing page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeAnalytics([landing("/", 10), landing("(not set)", 8), landing("", 4)])
      const output = yield* runTool(ga4TrafficByPage, provider, { property, exclude_not_set: true })
      assert.deepStrictEqual(pagesOf(output), ["/"])
      assert.strictEqual(output["row_count"], 1)
      const filters = calls.flatMap(({ input }) => requestsOf(input)).map((request) => request["dimensionFilter"])
      assert.strictEqual(filters.length, 2)
      assert.deepStrictEqual(filters[0], filters[1])
    }))

  it("following next_offset returns every page once, in the order of the complete list", () => {
    const landings = fc.uniqueArray(
      fc.record({
        page: fc.constantFrom("", "(not set)", "(other)", "/", "/a", "/b", "/c", "/d", "/e", "/f"),
        sessions: fc.integer({ min: 1, max: 4 }),
        users: fc.integer({ min: 0, max: 4 }),
        engaged: fc.integer({ min: 0, max: 1 })
      }),
      { selector: ({ page }) => page }
    )
    return fc.assert(
      fc.asyncProperty(
        landings,
        fc.integer({ min: 1, max: 4 }),
        (rows, limit) =>
          Effect.runPromise(
            Effect.gen(function*() {
              const { provider } = fakeAnalytics(rows)
              const whole = yield* runTool(ga4TrafficByPage, provider, { property, limit: 500 })
              const seen: Array<Json> = []
              let offset: unknown = 0
              while (offset !== undefined) {
                const output: Json = yield* runTool(ga4TrafficByPage, provider, { property, limit, offset })
                assert.strictEqual(output["row_count"], rowsOf(whole).length)
                seen.push(...rowsOf(output))
                offset = output["next_offset"]
              }
              assert.deepStrictEqual(seen, [...rowsOf(whole)])
              const names = pagesOf(whole)
              assert.strictEqual(new Set(names).size, names.length)
              const sessions = rowsOf(whole).reduce((sum, row) => sum + Number(row["sessions"]), 0)
              assert.strictEqual(sessions, rows.reduce((sum, row) => sum + row.sessions, 0))
              const beyond = yield* runTool(ga4TrafficByPage, provider, { property, limit, offset: names.length + 1 })
              assert.deepInclude(beyond, { rows: [], has_more: false })
            }).pipe(Effect.provide(TestClock.layer()))
          )
      ),
      { numRuns: 60 }
    )
  })
})
