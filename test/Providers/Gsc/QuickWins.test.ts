import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as QuickWins from "../../../src/Providers/Gsc/QuickWins.ts"

const row = (query: string, impressions: number, position: number, clicks = 0): QuickWins.QueryTotals => ({
  query,
  impressions,
  position,
  clicks
})
const page = (query: string, url: string, impressions: number, clicks: number, position: number) => ({
  ...row(query, impressions, position, clicks),
  page: url
})
const band: QuickWins.Band = { min_position: 8, max_position: 20, min_impressions: 50 }

const queryTotals: fc.Arbitrary<QuickWins.QueryTotals> = fc.record({
  query: fc.string({ maxLength: 3 }),
  impressions: fc.integer({ min: 0, max: 200 }),
  position: fc.double({ min: 1, max: 60, noNaN: true }),
  clicks: fc.integer({ min: 0, max: 20 })
})

describe("Gsc quick wins", () => {
  it("the band is compared with the raw position, not with the one shown", () => {
    const rows = [row("7.96", 60, 7.96), row("8", 60, 8), row("20", 60, 20), row("20.04", 60, 20.04)]
    assert.deepStrictEqual(QuickWins.winsOf(rows, band).map(({ query }) => query), ["8", "20"])
  })

  it("too few impressions are no win", () => {
    assert.deepStrictEqual(QuickWins.winsOf([row("a", 49, 9), row("b", 50, 9)], band).map(({ query }) => query), ["b"])
  })

  it("wins are sorted by impressions, then position, then query", () => {
    const rows = [row("d", 60, 9), row("c", 60, 9), row("b", 60, 8.5), row("a", 90, 19)]
    assert.deepStrictEqual(QuickWins.winsOf(rows, band).map(({ query }) => query), ["a", "b", "c", "d"])
  })

  it("the order does not depend on the order of the report, nor on a query that comes twice", () => {
    const report = fc.uniqueArray(queryTotals, { selector: ({ query }) => query })
    fc.assert(fc.property(
      report.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, shuffled]) => {
        assert.deepStrictEqual(
          QuickWins.winsOf(QuickWins.distinctQueries([...shuffled, ...rows]), band),
          QuickWins.winsOf(rows, band)
        )
        assert.strictEqual(
          QuickWins.pageOneCtr(QuickWins.distinctQueries([...shuffled, ...rows])),
          QuickWins.pageOneCtr(rows)
        )
      }
    ))
  })

  it("the CTR of page one is clicks by impressions, and unknown under 100 impressions", () => {
    assert.strictEqual(QuickWins.pageOneCtr([row("a", 90, 1, 45), row("b", 10, 10, 5), row("c", 999, 10.01, 0)]), 0.5)
    assert.strictEqual(QuickWins.pageOneCtr([row("a", 99, 1, 45)]), null)
  })

  it.each([
    { impressions: 1000, clicks: 10, ctr: 0.05, potential: 40 },
    { impressions: 1000, clicks: 80, ctr: 0.05, potential: 0 },
    { impressions: 10, clicks: 0, ctr: 0.05, potential: 1 },
    { impressions: 1000, clicks: 10, ctr: null, potential: null }
  ])("$impressions impressions and $clicks clicks could bring $potential at $ctr", ({ potential, ctr, ...query }) => {
    assert.strictEqual(QuickWins.potentialClicks(query, ctr), potential)
  })

  it("the hint says how far the threshold is from a match", () => {
    assert.deepStrictEqual(QuickWins.hintOf([row("a", 30, 9), row("b", 20, 19), row("c", 500, 3)], band), {
      best_impressions_in_band: 30,
      queries_in_band: 2
    })
    assert.deepStrictEqual(QuickWins.hintOf([], band), { best_impressions_in_band: 0, queries_in_band: 0 })
  })

  it("the ranking page is the one that was shown the most", () => {
    const rows = [
      page("a", "/few", 1, 1, 1),
      page("a", "/most", 9, 0, 30),
      page("b", "/clicked", 5, 2, 9),
      page("b", "/not", 5, 1, 9),
      page("c", "/lower", 5, 1, 9),
      page("c", "/higher", 5, 1, 8)
    ]
    const expected = new Map([["a", "/most"], ["b", "/clicked"], ["c", "/higher"]])
    assert.deepStrictEqual(QuickWins.rankingPages(rows), expected)
    assert.deepStrictEqual(new Map(QuickWins.rankingPages(rows.toReversed())), expected)
  })
})
