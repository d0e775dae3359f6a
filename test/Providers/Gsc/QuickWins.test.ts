import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { gscQuickWins } from "../../../src/Providers/Gsc/Tools/QuickWins.ts"
import { bodyOf, fakeSearchConsole, queries, type Row } from "../../support/FakeSearchConsole.ts"
import { type Json, objectsOf, runTool } from "../../support/RunTool.ts"

const site = "sc-domain:example.com"

const run = Effect.fnUntraced(function*(tables: Parameters<typeof fakeSearchConsole>[0], input: Json = {}) {
  const { calls, provider } = fakeSearchConsole(tables)
  const output = yield* runTool(gscQuickWins, provider, { site, ...input })
  return { output, bodies: calls.map((call) => bodyOf(call.input)) }
})

const table: ReadonlyArray<Row> = [
  { keys: ["brand"], clicks: 20, impressions: 200, ctr: 0.1, position: 1.2 },
  { keys: ["guide"], clicks: 4, impressions: 500, ctr: 0.008, position: 11.04 },
  { keys: ["howto"], clicks: 0, impressions: 120, ctr: 0, position: 8 },
  { keys: ["deep"], clicks: 0, impressions: 900, ctr: 0, position: 44 },
  { keys: ["rare"], clicks: 0, impressions: 49, ctr: 0, position: 9 }
]
const pages: ReadonlyArray<Row> = [
  { keys: ["guide", "https://example.com/old"], clicks: 3, impressions: 100, position: 10 },
  { keys: ["guide", "https://example.com/guide"], clicks: 1, impressions: 460, position: 12 }
]
const late: Row = { keys: ["late"], clicks: 0, impressions: 70, ctr: 0, position: 15 }
const withoutPages = { include_page: false }

const at = (position: number, impressions = 50, clicks = 0, query = `${position}`): Row => ({
  keys: [query],
  clicks,
  impressions,
  position
})

describe("gsc_quick_wins", () => {
  it.effect("returns the window, counts, CTR on page one, rows and page", () =>
    Effect.gen(function*() {
      const { bodies, output } = yield* run({ query: table, "query,page": pages })
      assert.deepStrictEqual(output, {
        site,
        start: "2026-09-05",
        end: "2026-10-02",
        min_position: 8,
        max_position: 20,
        min_impressions: 50,
        scanned_queries: 5,
        matched: 2,
        returned: 2,
        has_more: false,
        row_cap_hit: false,
        site_ctr_top10: 0.0542,
        rows: [{
          query: "guide",
          page: "https://example.com/guide",
          position: 11,
          impressions: 500,
          clicks: 4,
          ctr: 0.008,
          potential_clicks: 23
        }, { query: "howto", position: 8, impressions: 120, clicks: 0, ctr: 0, potential_clicks: 7 }]
      })
      assert.deepStrictEqual(bodies.at(-1), {
        startDate: "2026-09-05",
        endDate: "2026-10-02",
        type: "web",
        dataState: "final",
        dimensions: ["query", "page"],
        rowLimit: 25_000,
        dimensionFilterGroups: [{
          groupType: "and",
          filters: [{ dimension: "query", operator: "includingRegex", expression: "(?i)^(?:guide|howto)$" }]
        }]
      })
    }))

  it.effect.each<
    readonly [
      behaviour: string,
      rows: ReadonlyArray<Row>,
      input: Json,
      answer: Json,
      wins: ReadonlyArray<string>,
      startRows: ReadonlyArray<number | undefined>
    ]
  >([
    [
      "finds a win on the last page of the report",
      [...queries(30_000), late],
      withoutPages,
      { scanned_queries: 30_001, row_cap_hit: false },
      ["late"],
      [0, 25_000]
    ],
    [
      "reports when the provider's row limit was reached",
      queries(60_000),
      {},
      { scanned_queries: 50_000, row_cap_hit: true },
      [],
      [0, 25_000]
    ],
    [
      "has a hint of what would match where nothing does",
      table,
      { min_impressions: 1000 },
      { matched: 0, hint: { best_impressions_in_band: 500, queries_in_band: 3 } },
      [],
      [0]
    ],
    [
      "has the queries in the band by their unrounded positions, each once",
      [at(7.96), at(8), at(20), at(20.04), at(8)],
      withoutPages,
      { scanned_queries: 4, matched: 2, site_ctr_top10: 0 },
      ["8", "20"],
      [0]
    ],
    [
      "sorts by impressions, then position, then query",
      [at(9, 60, 0, "d"), at(9, 60, 0, "c"), at(8.5, 60, 0, "b"), at(19, 90, 0, "a")],
      withoutPages,
      { site_ctr_top10: 0 },
      ["a", "b", "c", "d"],
      [0]
    ],
    [
      "expects no clicks by fewer than 100 impressions on page one, up to position 10",
      [at(10, 99, 45), at(10.01, 999)],
      withoutPages,
      {
        site_ctr_top10: null,
        rows: [
          { query: "10.01", position: 10, impressions: 999, clicks: 0, ctr: 0, potential_clicks: null },
          { query: "10", position: 10, impressions: 99, clicks: 45, ctr: 0.4545, potential_clicks: null }
        ]
      },
      ["10.01", "10"],
      [0]
    ],
    [
      "expects no fewer clicks than there are",
      [at(9, 100, 80), at(10, 100)],
      withoutPages,
      {
        site_ctr_top10: 0.4,
        rows: [
          { query: "9", position: 9, impressions: 100, clicks: 80, ctr: 0.8, potential_clicks: 0 },
          { query: "10", position: 10, impressions: 100, clicks: 0, ctr: 0, potential_clicks: 40 }
        ]
      },
      ["9", "10"],
      [0]
    ],
    ["looks up pages only for the returned rows", table, { limit: 1, offset: 1 }, { matched: 2 }, ["howto"], [
      0,
      undefined
    ]]
  ])("%s", ([, query, input, answer, wins, startRows]) =>
    Effect.gen(function*() {
      const { bodies, output } = yield* run({ query }, input)
      assert.deepInclude(output, answer)
      assert.deepStrictEqual(objectsOf(output["rows"]).map((row) => row["query"]), [...wins])
      assert.deepStrictEqual<unknown>(bodies.map(({ startRow }) => startRow), startRows)
      if (wins.length === 0) assert.match(String(output["note"]), /2026-09-05 to 2026-10-02/)
      if (startRows.includes(undefined)) assert.include(JSON.stringify(bodies.at(-1)), `^(?:${wins.join("|")})$`)
    }))

  it("refuses a max_position below min_position", () => {
    const validate = validator(gscQuickWins.input, ["input"])
    assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(validate({ site, min_position: 21 }))), [
      { path: ["input", "max_position"], message: "Expected a position that is not less than min_position" }
    ])
    assert.isTrue(Result.isSuccess(validate({ site, min_position: 20, max_position: 20 })))
  })
})
