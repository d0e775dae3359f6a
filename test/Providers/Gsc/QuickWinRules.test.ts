import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as QuickWinRules from "../../../src/Providers/Gsc/QuickWinRules.ts"

const row = (query: string, impressions: number, position: number, clicks = 0): QuickWinRules.QueryTotals => ({
  query,
  impressions,
  position,
  clicks
})
const band: QuickWinRules.Band = { min_position: 8, max_position: 20, min_impressions: 50 }

const queryTotals: fc.Arbitrary<QuickWinRules.QueryTotals> = fc.record({
  query: fc.string({ maxLength: 3 }),
  impressions: fc.integer({ min: 0, max: 200 }),
  position: fc.double({ min: 1, max: 60, noNaN: true }),
  clicks: fc.integer({ min: 0, max: 20 })
})

describe("Quick wins", () => {
  it.each<readonly [why: string, rows: ReadonlyArray<QuickWinRules.QueryTotals>, wins: ReadonlyArray<string>]>([
    [
      "by the unrounded position",
      [row("7.96", 60, 7.96), row("8", 60, 8), row("20", 60, 20), row("20.04", 60, 20.04)],
      ["8", "20"]
    ],
    ["with enough impressions", [row("a", 49, 9), row("b", 50, 9)], ["b"]],
    [
      "sorted by impressions, then position, then query",
      [row("d", 60, 9), row("c", 60, 9), row("b", 60, 8.5), row("a", 90, 19)],
      ["a", "b", "c", "d"]
    ]
  ])("are queries in the band %s", (_, rows, wins) => {
    assert.deepStrictEqual(QuickWinRules.selectWins(rows, band).map(({ query }) => query), wins)
  })

  it("the order is independent of report order and repeated queries", () => {
    const report = fc.uniqueArray(queryTotals, { selector: ({ query }) => query })
    fc.assert(fc.property(
      report.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
      ([rows, shuffled]) => {
        assert.deepStrictEqual(
          QuickWinRules.selectWins(QuickWinRules.distinctQueries([...shuffled, ...rows]), band),
          QuickWinRules.selectWins(rows, band)
        )
        assert.strictEqual(
          QuickWinRules.pageOneCtr(QuickWinRules.distinctQueries([...shuffled, ...rows])),
          QuickWinRules.pageOneCtr(rows)
        )
      }
    ))
  })

  it("the CTR of page one is clicks divided by impressions, and null below 100 impressions", () => {
    assert.strictEqual(
      QuickWinRules.pageOneCtr([row("a", 90, 1, 45), row("b", 10, 10, 5), row("c", 999, 10.01, 0)]),
      0.5
    )
    assert.strictEqual(QuickWinRules.pageOneCtr([row("a", 99, 1, 45)]), null)
  })

  it.each([
    { impressions: 1000, clicks: 10, ctr: 0.05, potential: 40 },
    { impressions: 1000, clicks: 80, ctr: 0.05, potential: 0 },
    { impressions: 10, clicks: 0, ctr: 0.05, potential: 1 },
    { impressions: 1000, clicks: 10, ctr: null, potential: null }
  ])("$impressions impressions and $clicks clicks could bring $potential at $ctr", ({ potential, ctr, ...query }) => {
    assert.strictEqual(QuickWinRules.potentialClicks(query, ctr), potential)
  })
})
