import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type BucketRow, bucketRows, topReport, topRows } from "../../../src/Providers/Sitesearch/TopRows.ts"
import { addDays } from "../../../src/Providers/Tooling/DateWindow.ts"

const window = { start: "2026-01-22", end: "2026-02-20" }
const row = (fields: Partial<BucketRow>): BucketRow => ({
  key: "a",
  day: "2026-02-20",
  clicks: 0,
  impressions: 0,
  position: null,
  ...fields
})
const report = (
  rows: ReadonlyArray<BucketRow>,
  { contains = "", offset = 0, window: within = window }: {
    readonly offset?: number
    readonly contains?: string
    readonly window?: typeof window
  } = {}
) =>
  topReport(rows, {
    window: within,
    isDated: false,
    range: { limit: 25, offset },
    filters: [{ claim: "query contains", value: contains, textOf: (key) => key }],
    subject: "query",
    name: (query) => ({ query })
  })

describe("Weekly statistics", () => {
  it("adds up the weeks of an item into one row", () => {
    assert.deepStrictEqual(
      topRows([
        row({ day: "2026-02-13", clicks: 3, impressions: 60, position: 2 }),
        row({ day: "2026-02-20", clicks: 2, impressions: 40, position: 7 }),
        row({ key: "b", day: "2026-02-20", clicks: 1, impressions: 3, position: 1 })
      ]),
      [
        { key: "a", clicks: 5, impressions: 100, ctr: 0.05, position: 4 },
        { key: "b", clicks: 1, impressions: 3, ctr: 0.3333, position: 1 }
      ]
    )
  })

  it.each([
    { wire: { AvgImpressionPosition: -1, AvgClickPosition: 3 }, position: null, why: "not measured" },
    { wire: { AvgImpressionPosition: 0 }, position: null, why: "not measured, older spelling" },
    { wire: { AvgImpressionPosition: null }, position: null, why: "no value" },
    { wire: { AvgImpressionPosition: 4, AvgClickPosition: -1 }, position: 4, why: "clicks have no position" },
    { wire: { AverageImpressionPosition: 9, AvgImpressionPosition: 2 }, position: 2, why: "the right name" }
  ])("reads position $position from $wire ($why)", ({ position, wire }) => {
    const rows = bucketRows({ d: [{ Query: "a", Date: "/Date(1771574400000-0800)/", Impressions: 10, ...wire }] })
    assert.strictEqual(rows[0]?.position, position)
  })

  it("a week without a position does not count as position -1 or 0", () => {
    const [top] = topRows([row({ impressions: 10, position: 8 }), row({ day: "2026-02-13", impressions: 1000 })])
    assert.deepStrictEqual(top, { key: "a", clicks: 0, impressions: 1010, ctr: 0, position: 8 })
  })

  it("reports the newest bucket and its age when data is stale", () => {
    const stale = report([row({ day: "2024-12-11", clicks: 5 }), row({ day: "2024-12-04", clicks: 9 })])
    assert.deepInclude(stale, { buckets: 0, first_bucket: null, latest_bucket: "2024-12-11", rows: [] })
    assert.match(stale.note, /2024-12-11, 436 days before the end of the window.*No bucket lies in the window\.$/s)
  })

  it("says how long the window must be when it is too short", () => {
    const rows = [row({ day: "2026-01-09", clicks: 1 })]
    assert.match(report(rows).note, /No bucket lies in the window; 43 `days` reach the latest one\.$/)
    const longer = { start: addDays(window.end, 1 - 43), end: window.end }
    assert.strictEqual(report(rows, { window: longer }).total, 1)
  })

  it("accepts null for an empty list", () => {
    assert.deepStrictEqual(bucketRows({ d: null }), [])
    const { latest_bucket, note, returned, total } = report([])
    assert.deepStrictEqual({ latest_bucket, returned, total }, { latest_bucket: null, returned: 0, total: 0 })
    assert.match(note, /The provider has no query data for this site/)
  })

  it("leaves out rows without a query or a date", () => {
    const Date = "/Date(1771574400000-0800)/"
    assert.deepStrictEqual(
      bucketRows({
        d: [{ Query: null, Date }, { Query: " ", Date }, { Date }, { Query: "a", Date: "/Date(-62135596800000)/" }]
      }),
      []
    )
  })

  it("counts the last row of a query and week", () => {
    const wire = { Query: "a", Date: "/Date(1771574400000-0800)/", Clicks: 2, Impressions: 10 }
    const [top] = topRows(bucketRows({ d: [wire, { ...wire, Clicks: 3 }, { ...wire, Query: "A" }] }))
    assert.deepStrictEqual(top, { key: "a", clicks: 3, impressions: 10, ctr: 0.3, position: null })
  })
})

describe("The report of top rows", () => {
  it.each([
    [{ contains: "aa" }, /No query contains `aa`; there are only `a`, `b`, `c`\.$/],
    [{ offset: 3 }, /`offset` is past the last of 3 rows/]
  ])("notes that %j left no rows", (options, note) => {
    const rows = ["a", "b", "c"].map((key) => row({ key, clicks: 9, impressions: 10, day: "2026-02-13" }))
    const answer = report(rows, options)
    assert.deepStrictEqual(answer.rows, [])
    assert.match(answer.note, note)
  })
})

const anyRow: fc.Arbitrary<BucketRow> = fc.record({
  key: fc.constantFrom("a", "b", "c", "d", "__proto__"),
  day: fc.integer({ min: -40, max: 10 }).map((days) => addDays(window.end, days)),
  clicks: fc.nat({ max: 50 }),
  impressions: fc.nat({ max: 5000 }),
  position: fc.option(fc.integer({ min: 1, max: 100 }))
})
const clicksOf = (rows: ReadonlyArray<{ readonly clicks: number }>) => rows.reduce((all, { clicks }) => all + clicks, 0)
const anyRows = fc.array(anyRow, { maxLength: 60 })

describe("For any response", () => {
  it("the clicks of the window add up", () => {
    fc.assert(fc.property(anyRows, (rows) => {
      const inWindow = rows.filter(({ day }) => window.start <= day && day <= window.end)
      assert.strictEqual(clicksOf(report(rows).rows), clicksOf(inWindow))
    }))
  })
})
