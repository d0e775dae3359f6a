import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { now, sandboxAt } from "../../SandboxFixture.ts"
import { column, names, reportOf } from "./Fixture.ts"

const byDate = (dimension: string, startDate: string, endDate: string) =>
  reportOf({
    dateRanges: [{ startDate, endDate }],
    dimensions: names(dimension),
    metrics: names("sessions"),
    orderBys: [{ dimension: { dimensionName: dimension } }]
  })

const paths = (matchType: string, value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType, value } }
})
const either = { orGroup: { expressions: [paths("CONTAINS", "pages"), paths("EXACT", "/")] } }

layer(sandboxAt(now))("A report", (it) => {
  it.effect("has headers, rows and the number of all rows", () =>
    Effect.gen(function*() {
      const report = yield* reportOf({
        dimensions: names("country"),
        metrics: names("sessions", "engagementRate"),
        limit: 3
      })
      const { dimensions, kind, metrics, types } = report
      assert.deepStrictEqual({ dimensions, kind, metrics, types }, {
        kind: "analyticsData#runReport",
        dimensions: ["country"],
        metrics: ["sessions", "engagementRate"],
        types: ["TYPE_INTEGER", "TYPE_FLOAT"]
      })
      assert.isAbove(report.rowCount, 3)
      assert.deepStrictEqual(column(report.rows).slice(0, 2), ["United Kingdom", "United States"])
    }))

  it.effect("counts relative days from today in the property's time zone, which has its first hours", () =>
    Effect.gen(function*() {
      const { rows } = yield* byDate("date", "2daysAgo", "today")
      assert.deepStrictEqual(column(rows), ["20260316", "20260317", "20260318"])
      assert.isBelow(rows[2]?.numbers[0] ?? 0, (rows[1]?.numbers[0] ?? 0) / 2)
    }))

  it.effect.each<[filter: object, keeps: (path: string) => boolean]>([
    [paths("EXACT", "/products/Dibber"), (path) => path === "/products/dibber"],
    [paths("PARTIAL_REGEXP", "rake|^/$"), (path) => path === "/" || path.includes("rake")],
    [
      { andGroup: { expressions: [{ notExpression: paths("CONTAINS", "products") }, either] } },
      (path) => path === "/" || path.startsWith("/pages/")
    ]
  ])("has the rows of a filter: %j", ([dimensionFilter, keeps]) =>
    Effect.gen(function*() {
      const request = { dimensions: names("pagePath"), metrics: names("eventCount") }
      const { rows: all } = yield* reportOf(request)
      const { rows } = yield* reportOf({ ...request, dimensionFilter })
      assert.deepStrictEqual(rows, all.filter(({ values: [path = ""] }) => keeps(path)))
      const least = {
        filter: { fieldName: "eventCount", numericFilter: { operation: "GREATER_THAN", value: { int64Value: 500 } } }
      }
      const { rows: many } = yield* reportOf({ ...request, metricFilter: least })
      assert.deepStrictEqual(many, all.filter(({ numbers: [count = 0] }) => count > 500))
    }))
})
