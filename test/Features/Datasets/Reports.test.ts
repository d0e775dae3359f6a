import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { NewDataset } from "../../../src/Features/Datasets/Declared.ts"
import { parseDay } from "../../../src/Providers/Sitesearch/Responses.ts"
import { addDays } from "../../../src/Providers/Tooling/DateWindow.ts"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { ownSandbox } from "../../Service/SandboxServer.ts"
import { seed, TestServer } from "../../support/TestServer.ts"
import { completed, daysAgo, rowsOf } from "./Fixture.ts"

const connected = Effect.fnUntraced(function*(provider: string) {
  const { connections } = yield* Sandbox
  const found = connections.find((connection) => connection.provider === provider)
  const { connection, reader } = yield* seed(found)
  const read = (endpoint: string, input: Readonly<Record<string, unknown>>) =>
    Effect.map(reader.call.call({ payload: { provider, endpoint, input } }), ({ data }) => data)
  return { connection_id: connection.id, read }
})

const rowsIn = (data: unknown): ReadonlyArray<Record<string, string | number>> => JSON.parse(JSON.stringify(data)).d

const daysOf = Effect.fnUntraced(function*(payload: NewDataset) {
  const { admin } = yield* TestServer
  const dataset = yield* completed(payload)
  assert.deepInclude(dataset, { status: "idle", last_error: null })
  const { days } = yield* admin.datasets.days({ params: { id: dataset.id } })
  return { id: dataset.id, days }
})

layer(ownSandbox(), { excludeTestServices: true })("A dataset of the sandbox", (it) => {
  it.effect("has the report of Analytics for each day of the property's zone, under the names of `keep`", () =>
    Effect.gen(function*() {
      const { connection_id, read } = yield* connected("ga4")
      const since = yield* daysAgo(6)
      const dimensions = ["sessionDefaultChannelGroup", "country"]
      const metrics = ["sessions", "bounceRate"]
      const { days, id } = yield* daysOf({
        connection_id,
        report: "ga4.report",
        resource: "410000011",
        dimensions,
        metrics,
        since,
        schedule: null
      })
      assert.isAtLeast(days.length, 6)
      for (const { coverage, status } of days) assert.deepStrictEqual([status, coverage], ["done", 1])
      const report = yield* read("properties.runReport", {
        path: { property: "410000011" },
        body: {
          dateRanges: [{ startDate: since, endDate: since }],
          dimensions: dimensions.map((name) => ({ name })),
          metrics: metrics.map((name) => ({ name })),
          limit: "25000"
        }
      })
      const expected = JSON.parse(JSON.stringify(report)).rows.map((
        { dimensionValues, metricValues }: Record<string, ReadonlyArray<{ readonly value: string }>>
      ) => [
        ...(dimensionValues ?? []).map(({ value }) => value),
        ...(metricValues ?? []).map(({ value }) => Number(value))
      ])
      const rows = yield* rowsOf(id, since)
      assert.isNotEmpty(rows)
      assert.deepStrictEqual(Object.keys(rows?.[0] ?? {}), [...dimensions, ...metrics])
      assert.sameDeepMembers(rows?.map((row) => Object.values(row)) ?? [], expected)
    }))

  it.effect("has the weeks of site search, named by their first day, and its days of traffic", () =>
    Effect.gen(function*() {
      const { connection_id, read } = yield* connected("sitesearch")
      const site = "https://www.fernhill.example/"
      const since = yield* daysAgo(60)
      const payload = { connection_id, resource: `sitesearch:${site}`, since, schedule: "daily" } as const

      for (const [report, endpoint] of [["query_stats", "GetQueryStats"], ["page_stats", "GetPageStats"]] as const) {
        const { days, id } = yield* daysOf({ ...payload, report: `sitesearch.${report}` })
        const source = rowsIn(yield* read(endpoint, { query: { siteUrl: site } }))
        const lastDays = new Set(source.map(({ Date }) => parseDay(String(Date)) ?? ""))
        assert.deepStrictEqual(
          days.map(({ day }) => day),
          [...lastDays].map((last) => addDays(last, -6)).filter((first) => first >= since).toSorted()
        )
        const [{ coverage, day } = { coverage: null, day: "" }] = days
        assert.isTrue(coverage !== null && coverage > 0 && coverage <= 1)
        assert.sameDeepMembers(
          (yield* rowsOf(id, day))?.map(({ Clicks, Impressions, Query }) => [Query, Clicks, Impressions]) ?? [],
          source.filter(({ Date }) => parseDay(String(Date)) === addDays(day, 6))
            .map(({ Clicks, Impressions, Query }) => [Query, Clicks, Impressions])
        )
      }

      const { days, id } = yield* daysOf({ ...payload, report: "sitesearch.traffic" })
      const source = rowsIn(yield* read("GetRankAndTrafficStats", { query: { siteUrl: site } }))
      const [first] = days
      assert.deepInclude(first, { day: since, rows: 1, coverage: 1, final: true })
      const found = source.find(({ Date }) => parseDay(String(Date)) === since)
      assert.deepStrictEqual(yield* rowsOf(id, since), [{
        Date: new Date(since),
        Clicks: Number(found?.["Clicks"]),
        Impressions: Number(found?.["Impressions"])
      }])
    }))
})
