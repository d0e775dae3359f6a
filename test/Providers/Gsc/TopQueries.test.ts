import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gscTopQueries } from "../../../src/Providers/Gsc/Tools/TopQueries.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { bodyOf, fakeSearchConsole, queries, type Row } from "../../support/FakeSearchConsole.ts"
import { assertFields, type Json, objectsOf, runTool } from "../../support/RunTool.ts"

const site = "sc-domain:example.com"
const total: Row = { clicks: 12, impressions: 400, ctr: 0.03, position: 7.449 }

type Tables = Parameters<typeof fakeSearchConsole>[0]

const run = Effect.fnUntraced(function*(tables: Tables, input: Json = {}, sites?: ReadonlyArray<unknown>) {
  const { calls, provider } = fakeSearchConsole(tables, sites)
  const output = yield* runTool(gscTopQueries, provider, { site, ...input })
  return { calls, output, bodies: calls.flatMap((call) => call.endpoint === "sites.list" ? [] : [bodyOf(call.input)]) }
})

const report = (...keys: ReadonlyArray<ReadonlyArray<string>>) =>
  keys.map((each): Row => ({ keys: each, clicks: 1, impressions: 1, position: 1 }))

const figures = (clicks: number, impressions: number, ctr: number | null, position: number | null) => ({
  clicks,
  impressions,
  ctr,
  position
})

const nothing = { clicks: null, impressions: null, ctr: null, position: null }
const olderDays = "The provider keeps 16 months, so days before 2025-06-05 have no data."

describe("gsc_top_queries", () => {
  it.effect("returns the window, totals, rows and page", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run({
        "": [total],
        query: [
          { keys: ["shoes"], clicks: 3.0, impressions: 7, ctr: 0.42857142857142855, position: 2.25 },
          { keys: ["boots"], impressions: 5, ctr: 0, position: 9.449 }
        ]
      })
      assert.deepStrictEqual(output, {
        site,
        start: "2026-09-05",
        end: "2026-10-02",
        days: 28,
        data_state: "final",
        totals: { clicks: 12, impressions: 400, ctr: 0.03, position: 7.4 },
        rows: [
          { query: "shoes", clicks: 3, impressions: 7, ctr: 0.4286, position: 2.3 },
          { query: "boots", clicks: 0, impressions: 5, ctr: 0, position: 9.4 }
        ],
        returned: 2,
        has_more: false
      })
      const common = {
        startDate: "2026-09-05",
        endDate: "2026-10-02",
        type: "web",
        dataState: "final",
        dimensionFilterGroups: []
      }
      const bodies = [{ ...common, dimensions: ["query"], rowLimit: 26, startRow: 0 }, { ...common, rowLimit: 1 }]
      assert.deepStrictEqual(
        calls,
        bodies.map((body) => ({ endpoint: "searchanalytics.query", input: { path: { siteUrl: site }, body } }))
      )
    }))

  it.effect.each<readonly [behaviour: string, tables: Tables, input: Json, answer: Json]>([
    ["has a window of N days that ends before the days that are still being collected", {}, { days: 7 }, {
      start: "2026-09-26",
      end: "2026-10-02",
      data_state: "final"
    }],
    ["goes on at the offset", { query: queries(8) }, { limit: 5, offset: 5 }, { returned: 3, has_more: false }],
    ["has fresh days on request, and says so", {}, { days: 7, fresh: true }, {
      start: "2026-09-28",
      end: "2026-10-04",
      data_state: "all",
      note: /still being collected/
    }],
    ["tells days that have no data yet", { query: queries(2) }, { start: "2026-10-01", end: "2026-10-31" }, {
      days: 31,
      note: "Days after 2026-10-02 have no final data yet."
    }],
    ["tells days that have no data any more", { query: queries(2) }, { start: "2025-06-01", end: "2025-06-30" }, {
      days: 30,
      note: olderDays
    }],
    [
      "tells it once for both windows",
      { query: queries(2) },
      { start: "2025-06-01", end: "2025-06-30", compare: "previous_period" },
      { note: olderDays }
    ],
    ["says that a filter on queries removes hidden queries from totals", { "": [total], query: queries(2) }, {
      query_contains: "shoe"
    }, { note: /missing from totals/ }],
    ["names its window and has null rates without data", {}, {}, {
      rows: [],
      returned: 0,
      has_more: false,
      totals: { clicks: 0, impressions: 0, ctr: null, position: null },
      note: /2026-09-05 to 2026-10-02.*2 to 3 days behind/
    }],
    ["says when the provider hides every query", { "": [total] }, { page_contains: "/a" }, {
      note: /All 400 impressions are of rare queries/
    }]
  ])("%s", ([, tables, input, answer]) =>
    Effect.gen(function*() {
      const { bodies, output } = yield* run(tables, input)
      assertFields(output, answer)
      assert.lengthOf(bodies, 2)
      for (const { endDate, startDate } of bodies) {
        assert.deepStrictEqual([startDate, endDate], [output["start"], output["end"]])
      }
    }))

  it.effect("filters apply to rows and totals, which are grouped by query alone", () =>
    Effect.gen(function*() {
      const input = { query_contains: "shoe", exclude_terms: ["a.b"], country: "us", device: "tablet" }
      const { bodies } = yield* run({ query: queries(1) }, { ...input, page_contains: "/blog/", search_type: "image" })
      // A query counts once per page where rows are grouped by page.
      assert.deepStrictEqual(bodies.map(({ dimensions, type }) => [type, dimensions]), [
        ["image", ["query"]],
        ["image", undefined]
      ])
      for (const { dimensionFilterGroups } of bodies) {
        assert.deepStrictEqual(dimensionFilterGroups, [{
          groupType: "and",
          filters: [
            { dimension: "query", operator: "contains", expression: "shoe" },
            { dimension: "page", operator: "contains", expression: "/blog/" },
            { dimension: "query", operator: "excludingRegex", expression: "(?i)(?:a\\.b)" },
            { dimension: "country", operator: "equals", expression: "usa" },
            { dimension: "device", operator: "equals", expression: "TABLET" }
          ]
        }])
      }
    }))

  it.effect.each([
    ["/über uns?", "(?i)(?:\\/über uns\\?|\\/%C3%BCber%20uns\\?)"],
    ["/%C3%9Cber", "(?i)(?:\\/%C3%9Cber|\\/Über|\\/%C3%BCber)"]
  ])(
    "page_contains %s finds pages that are percent-encoded and not",
    ([page_contains, expression]) =>
      Effect.gen(function*() {
        const { bodies } = yield* run({}, { page_contains })
        const filters = [{ dimension: "page", operator: "includingRegex", expression }]
        assert.deepStrictEqual(bodies[0]?.dimensionFilterGroups, [{ groupType: "and", filters }])
      })
  )

  it.effect("compare adds the figures of the window before to the totals and to the rows of the page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeProvider((_, input) => {
        const { dimensions, startDate } = bodyOf(input)
        const isCurrent = startDate === "2026-09-05"
        if (dimensions === undefined) {
          return { rows: [isCurrent ? total : { clicks: 15, impressions: 300, position: 8 }] }
        }
        const shoes = { keys: ["shoes"], clicks: 3, impressions: 7, position: 2.25 }
        return {
          rows: isCurrent
            ? [shoes, { keys: ["new+"], clicks: 1, impressions: 5, position: 9 }]
            : [{ keys: ["shoes"], clicks: 4, impressions: 16, position: 3 }]
        }
      })
      const input = { site, compare: "previous_period", query_contains: "e" }
      const output = yield* runTool(gscTopQueries, provider, input)
      assert.deepInclude(output, { previous_start: "2026-08-08", previous_end: "2026-09-04" })
      assert.deepStrictEqual(output["totals"], {
        ...figures(12, 400, 0.03, 7.4),
        previous: figures(15, 300, 0.05, 8),
        change: figures(-3, 100, -0.02, -0.6)
      })
      assert.deepStrictEqual(
        objectsOf(output["rows"]).map(({ change, previous, query }) => ({ query, previous, change })),
        [
          { query: "shoes", previous: figures(4, 16, 0.25, 3), change: figures(-1, -9, 0.1786, -0.7) },
          { query: "new+", previous: figures(0, 0, null, null), change: figures(1, 5, null, null) }
        ]
      )
      assert.lengthOf(calls, 4)
      assert.include(JSON.stringify(calls[2]?.input), "(?i)^(?:shoes|new\\\\+)$")
    }))

  it.effect("a previous window that the provider does not keep is null, and not asked for", () =>
    Effect.gen(function*() {
      const input = { start: "2026-01-01", end: "2026-01-31", compare: "previous_year" }
      const { calls, output } = yield* run({ "": [total], query: queries(1) }, input)
      assert.deepInclude(output, { previous_start: "2025-01-01", previous_end: "2025-01-31", note: olderDays })
      assert.deepInclude(objectsOf(output["rows"])[0], { previous: nothing })
      assert.lengthOf(calls, 2)
    }))

  it.effect.each<readonly [input: Json, tables: Tables, note: string]>([
    [
      { country: "br" },
      { country: report(["usa"], ["gbr"]) },
      "No row has country `bra`; there are only `usa`, `gbr`."
    ],
    [
      { query_contains: "shooes" },
      { query: report(["red hats"], ["blue shoes"]) },
      "No query contains `shooes`; there are only `blue shoes`, `red hats`."
    ],
    [{ country: "br" }, {}, "Without the filters there are none either."]
  ])(
    "the filter %j that matches nothing is told with the nearest values",
    ([input, tables, note]) =>
      Effect.gen(function*() {
        const { calls, provider } = fakeProvider((_, given) => {
          const { dimensionFilterGroups, dimensions = [] } = bodyOf(given)
          return { rows: dimensionFilterGroups.length > 0 ? [] : tables[dimensions.join()] ?? [] }
        })
        const output = yield* runTool(gscTopQueries, provider, { site, ...input })
        assert.include(String(output["note"]), note)
        assert.lengthOf(calls, 3)
      })
  )

  it.effect("a bare host finds the verified property", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run({}, { site: "example.com" }, [
        { siteUrl: "sc-domain:example.com", permissionLevel: "siteUnverifiedUser" },
        { siteUrl: "https://www.example.com/", permissionLevel: "siteFullUser" }
      ])
      assert.strictEqual(output["site"], "https://www.example.com/")
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), [
        "sites.list",
        "searchanalytics.query",
        "searchanalytics.query"
      ])
    }))
})
