import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { seed, TestServer } from "../../support/TestServer.ts"
import { acme, answerSearches, completed, daysAgo, play, rowsOf, type SearchRow } from "./Fixture.ts"

/** The first row of each country is for the same query and page, and is on both devices. */
const searches = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>): ReadonlyArray<SearchRow> =>
  Object.entries(counts).flatMap(([country, devices]) =>
    Object.entries(devices).flatMap(([device, count]) =>
      Array.from({ length: count }, (_, index) => ({
        query: index === 0 ? "shared" : `${country} ${device} ${index}`,
        page: "https://acme.com/",
        country,
        device,
        clicks: index === 0 ? 0 : 1 + index % 3,
        impressions: 10,
        position: index === 0 && country === "fra" ? 9 : 1
      }))
    )
  )

const whole = searches({
  usa: { DESKTOP: 30_000, MOBILE: 25_000 },
  deu: { MOBILE: 8000 },
  fra: { MOBILE: 3000 },
  gbr: { MOBILE: 100 },
  ita: { MOBILE: 50 },
  esp: { TABLET: 5 }
})
const beyond = searches({ usa: { MOBILE: 50_500 }, deu: { DESKTOP: 10 } })

const clicksOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>> = []) =>
  rows.reduce((sum, { clicks }) => sum + Number(clicks), 0)

layer(TestServer.layer, { excludeTestServices: true })("A day with more rows than the source gives", (it) => {
  it.effect("is complete from its parts by country and device, or says that it is not", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const [first, second, third] = [yield* daysAgo(3), yield* daysAgo(2), yield* daysAgo(1)]
      const byDay = new Map([[first, whole], [second, beyond]])
      yield* play(answerSearches((day) => byDay.get(day) ?? []))
      const { connection } = yield* seed()
      const dataset = yield* completed({ ...acme, connection_id: connection.id, since: first })
      const { days } = yield* admin.datasets.days({ params: { id: dataset.id } })
      const shared = whole.filter(({ query }) => query === "shared").length
      assert.deepStrictEqual(
        days.map(({ coverage, day, rows, status }) => ({ day, status, rows, coverage })),
        [
          { day: first, status: "done", rows: whole.length - shared + 1, coverage: 1 },
          { day: second, status: "capped", rows: 50_010, coverage: 0.9951 },
          { day: third, status: "done", rows: 0, coverage: 1 }
        ]
      )
      assert.deepStrictEqual(dataset.days, { done: 2, pending: 0, capped: 1, failed: 0 })

      const read = yield* rowsOf(dataset.id, first)
      assert.strictEqual(new Set(read?.map(({ query }) => query)).size, read?.length)
      assert.deepStrictEqual(read?.find(({ query }) => query === "shared"), {
        query: "shared",
        page: "https://acme.com/",
        clicks: 0,
        impressions: 10 * shared,
        ctr: 0,
        position: (9 + shared - 1) / shared
      })
      assert.strictEqual(clicksOf(read), clicksOf(whole.map((row) => ({ ...row }))))
    }))
})
