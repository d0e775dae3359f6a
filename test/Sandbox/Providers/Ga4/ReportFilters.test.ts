import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { column, names, reportOf } from "./Fixture.ts"

const paths = (matchType: string, value: string, caseSensitive = false) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType, value, caseSensitive } }
})

const sessions = (operation: string, int64Value: string) => ({
  filter: { fieldName: "sessions", numericFilter: { operation, value: { int64Value } } }
})

layer(sandboxAt(now))("Report filters", (it) => {
  const inList = { filter: { fieldName: "pagePath", inListFilter: { values: ["/", "/products/cloche"] } } }
  const either = { orGroup: { expressions: [paths("CONTAINS", "pages"), paths("EXACT", "/")] } }
  const both = { andGroup: { expressions: [{ notExpression: paths("CONTAINS", "products") }, either] } }

  const filters: ReadonlyArray<readonly [string, object, (path: string) => boolean]> = [
    ["EXACT", paths("EXACT", "/products/Dibber"), (path) => path === "/products/dibber"],
    ["CONTAINS", paths("CONTAINS", "bed"), (path) => path.includes("bed")],
    ["FULL_REGEXP", paths("FULL_REGEXP", "/products/.*e"), (path) => /^\/products\/.*e$/.test(path)],
    ["PARTIAL_REGEXP", paths("PARTIAL_REGEXP", "rake|^/$"), (path) => path === "/" || path.includes("rake")],
    ["in a list", inList, (path) => path === "/" || path === "/products/cloche"],
    ["not, and, or", both, (path) => path === "/" || path.startsWith("/pages/")]
  ]
  it.effect.each(filters)("filters dimensions: %s", ([, dimensionFilter, keeps]) =>
    Effect.gen(function*() {
      const request = { dimensions: names("pagePath"), metrics: names("eventCount") }
      const all = column((yield* reportOf(request)).rows)
      const { rows } = yield* reportOf({ ...request, dimensionFilter })
      assert.sameMembers(column(rows), all.filter(keeps))
    }))

  it.effect("filters rows by metric values", () =>
    Effect.gen(function*() {
      const request = { dimensions: names("country"), metrics: names("sessions") }
      const all = (yield* reportOf(request)).rows
      const limit = all[2]?.numbers[0] ?? 0
      const betweenFilter = { fromValue: { doubleValue: 10 }, toValue: { int64Value: limit } }
      const expected: ReadonlyArray<readonly [object, (count: number) => boolean]> = [
        [sessions("GREATER_THAN", `${limit}`), (count) => count > limit],
        [sessions("LESS_THAN", `${limit}`), (count) => count < limit],
        [sessions("EQUAL", `${limit}`), (count) => count === limit],
        [{ filter: { fieldName: "sessions", betweenFilter } }, (count) => count >= 10 && count <= limit]
      ]
      for (const [metricFilter, keeps] of expected) {
        const { rows } = yield* reportOf({ ...request, metricFilter })
        assert.deepStrictEqual(rows, all.filter(({ numbers: [count = 0] }) => keeps(count)))
      }
    }))
})
