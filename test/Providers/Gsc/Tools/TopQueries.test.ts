import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors.ts"
import { gscTopQueries } from "../../../../src/Providers/Gsc/Tools/TopQueries.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { bodyOf, fakeSearchConsole, queries, type Row } from "../../../support/FakeSearchConsole.ts"
import { type Json, objectsOf, runTool } from "../../../support/RunTool.ts"

const site = "sc-domain:example.com"
const total: Row = { clicks: 12, impressions: 400, ctr: 0.03, position: 7.449 }
const namesOf = (output: Json) => objectsOf(output["rows"]).map(({ query }) => query)

const report = (...keys: ReadonlyArray<ReadonlyArray<string>>) =>
  keys.map((each): Row => ({ keys: each, clicks: 1, impressions: 1, position: 1 }))

describe("gsc_top_queries", () => {
  it.effect("returns the window, totals, rows and page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({
        "": [total],
        query: [
          { keys: ["shoes"], clicks: 3.0, impressions: 7, ctr: 0.42857142857142855, position: 2.25 },
          { keys: ["boots"], impressions: 5, ctr: 0, position: 9.449 }
        ]
      })
      assert.deepStrictEqual(yield* runTool(gscTopQueries, provider, { site }), {
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
      assert.deepStrictEqual(calls, [
        {
          endpoint: "searchanalytics.query",
          input: {
            path: { siteUrl: site },
            body: { ...common, dimensions: ["query"], rowLimit: 26, startRow: 0 }
          }
        },
        { endpoint: "searchanalytics.query", input: { path: { siteUrl: site }, body: { ...common, rowLimit: 1 } } }
      ])
    }))

  it.effect("the window has N days and ends before the days that are still being collected", () =>
    Effect.gen(function*() {
      const { provider } = fakeSearchConsole({})
      const settled = yield* runTool(gscTopQueries, provider, { site, days: 7 })
      assert.deepInclude(settled, { start: "2026-09-26", end: "2026-10-02", data_state: "final" })
      const fresh = yield* runTool(gscTopQueries, provider, { site, days: 7, fresh: true })
      assert.deepInclude(fresh, { start: "2026-09-28", end: "2026-10-04", data_state: "all" })
      assert.include(fresh["note"], "still being collected")
    }))

  it.effect.each([
    { input: { start: "2026-09-01", end: "2026-09-30" }, days: 30, note: undefined },
    {
      input: { start: "2026-10-01", end: "2026-10-31" },
      days: 31,
      note: "Days after 2026-10-02 have no final data yet."
    },
    {
      input: { start: "2025-06-01", end: "2025-06-30" },
      days: 30,
      note: "The provider keeps 16 months, so days before 2025-06-05 have no data."
    }
  ])("$input is asked for as it is, and missing days are told", ({ days, input, note }) =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({ query: queries(2) })
      const output = yield* runTool(gscTopQueries, provider, { site, ...input })
      assert.deepInclude(output, { ...input, days })
      assert.strictEqual(output["note"], note)
      for (const { input: sent } of calls) {
        assert.deepInclude(bodyOf(sent), { startDate: input.start, endDate: input.end })
      }
    }))

  it.effect.each([{ query_contains: "shoe" }, { exclude_terms: "acme" }])(
    "a note says that a filter on queries ($query_contains$exclude_terms) removes hidden queries from totals",
    (input) =>
      Effect.gen(function*() {
        const { provider } = fakeSearchConsole({ "": [total], query: queries(2) })
        assert.include((yield* runTool(gscTopQueries, provider, { site, ...input }))["note"], "missing from totals")
      })
  )

  it.effect("filters apply to rows and totals", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({ query: queries(1) })
      const input = { site, query_contains: "shoe", exclude_terms: ["a.b"], country: "us", device: "tablet" }
      yield* runTool(gscTopQueries, provider, { ...input, search_type: "image" })
      const bodies = calls.map((call) => bodyOf(call.input))
      assert.deepStrictEqual(bodies.map(({ type }) => type), ["image", "image"])
      for (const { dimensionFilterGroups } of bodies) {
        assert.deepStrictEqual(dimensionFilterGroups, [{
          groupType: "and",
          filters: [
            { dimension: "query", operator: "contains", expression: "shoe" },
            { dimension: "query", operator: "excludingRegex", expression: "(?i)(?:a\\.b)" },
            { dimension: "country", operator: "equals", expression: "usa" },
            { dimension: "device", operator: "equals", expression: "TABLET" }
          ]
        }])
      }
    }))

  it.effect("groups by query alone, because grouping by page counts a query once per page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({ query: queries(1) })
      yield* runTool(gscTopQueries, provider, { site, page_contains: "/blog/" })
      assert.deepStrictEqual(calls.map(({ input }) => bodyOf(input).dimensions), [["query"], undefined])
    }))

  it.effect("following next_offset returns every query once", () =>
    Effect.gen(function*() {
      const { provider } = fakeSearchConsole({ query: queries(23) })
      const seen: Array<unknown> = []
      let offset: unknown = 0
      while (offset !== undefined) {
        const output: Json = yield* runTool(gscTopQueries, provider, { site, limit: 5, offset })
        seen.push(...namesOf(output))
        offset = output["next_offset"]
      }
      assert.deepStrictEqual(seen, queries(23).map(({ keys }) => keys?.[0]))
    }))

  it.effect("an empty result names its window and has null rates", () =>
    Effect.gen(function*() {
      const { provider } = fakeSearchConsole({})
      const output = yield* runTool(gscTopQueries, provider, { site })
      assert.deepInclude(output, { rows: [], returned: 0, has_more: false })
      assert.deepStrictEqual(output["totals"], { clicks: 0, impressions: 0, ctr: null, position: null })
      assert.match(String(output["note"]), /2026-09-05 to 2026-10-02.*2 to 3 days behind/)
    }))

  it.effect("compare adds the figures of the window before to the totals and to the rows of the page", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeProvider((_, input) => {
        const { dimensions, startDate } = bodyOf(input)
        const isCurrent = startDate === "2026-09-05"
        if (dimensions === undefined) {
          return { rows: [isCurrent ? total : { clicks: 15, impressions: 300, position: 8 }] }
        }
        return {
          rows: isCurrent
            ? [{ keys: ["shoes"], clicks: 3, impressions: 7, position: 2.25 }, {
              keys: ["new+"],
              clicks: 1,
              impressions: 5,
              position: 9
            }]
            : [{ keys: ["shoes"], clicks: 4, impressions: 16, position: 3 }]
        }
      })
      const input = { site, compare: "previous_period", query_contains: "e" }
      const output = yield* runTool(gscTopQueries, provider, input)
      assert.deepInclude(output, { previous_start: "2026-08-08", previous_end: "2026-09-04" })
      assert.deepStrictEqual(output["totals"], {
        clicks: 12,
        impressions: 400,
        ctr: 0.03,
        position: 7.4,
        previous: { clicks: 15, impressions: 300, ctr: 0.05, position: 8 },
        change: { clicks: -3, impressions: 100, ctr: -0.02, position: -0.6 }
      })
      assert.deepStrictEqual(
        objectsOf(output["rows"]).map(({ change, previous, query }) => ({ query, previous, change })),
        [
          {
            query: "shoes",
            previous: { clicks: 4, impressions: 16, ctr: 0.25, position: 3 },
            change: { clicks: -1, impressions: -9, ctr: 0.1786, position: -0.7 }
          },
          {
            query: "new+",
            previous: { clicks: 0, impressions: 0, ctr: null, position: null },
            change: { clicks: 1, impressions: 5, ctr: null, position: null }
          }
        ]
      )
      assert.lengthOf(calls, 4)
      assert.include(JSON.stringify(calls[2]?.input), "(?i)^(?:shoes|new\\\\+)$")
    }))

  it.effect("a previous window that the provider does not keep is null, and not asked for", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({ "": [total], query: queries(1) })
      const input = { site, start: "2026-01-01", end: "2026-01-31", compare: "previous_year" }
      const output = yield* runTool(gscTopQueries, provider, input)
      assert.deepInclude(output, {
        previous_start: "2025-01-01",
        previous_end: "2025-01-31",
        note: "The provider keeps 16 months, so days before 2025-06-05 have no data."
      })
      assert.deepInclude(objectsOf(output["rows"])[0], {
        previous: { clicks: null, impressions: null, ctr: null, position: null }
      })
      assert.lengthOf(calls, 2)
    }))

  it.effect.each([
    {
      input: { country: "br" },
      tables: { country: report(["usa"], ["gbr"]) },
      note: "No row has country `bra`; there are only `usa`, `gbr`."
    },
    {
      input: { query_contains: "shooes" },
      tables: { query: report(["red hats"], ["blue shoes"]) },
      note: "No query contains `shooes`; there are only `blue shoes`, `red hats`."
    },
    {
      input: { page_contains: "/a", device: "tablet" },
      tables: { "page,device": report(["https://example.com/a", "MOBILE"], ["https://example.com/b", "DESKTOP"]) },
      note: "No row has device `tablet`; there are only `MOBILE`, `DESKTOP`."
    },
    { input: { country: "br" }, tables: {}, note: "Without the filters there are none either." },
    {
      input: { country: "br", device: "mobile" },
      tables: { "country,device": report(["bra", "DESKTOP"], ["usa", "MOBILE"]) },
      note: "Each filter alone has rows, but not all together."
    }
  ])(
    "a filter that matches nothing is told with the nearest values ($input)",
    ({ input, note, tables }) =>
      Effect.gen(function*() {
        const { calls, provider } = fakeProvider((_, given) => {
          const { dimensionFilterGroups, dimensions = [] } = bodyOf(given)
          return { rows: dimensionFilterGroups.length > 0 ? [] : Object(tables)[dimensions.join()] ?? [] }
        })
        const output = yield* runTool(gscTopQueries, provider, { site, ...input })
        assert.include(String(output["note"]), note)
        assert.lengthOf(calls, 3)
      })
  )

  it.effect("says when the provider hides every query", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({ "": [total] })
      const output = yield* runTool(gscTopQueries, provider, { site, page_contains: "/a" })
      assert.include(output["note"], "All 400 impressions are of rare queries")
      assert.lengthOf(calls, 2)
    }))

  it.effect("a bare host finds the verified property", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeSearchConsole({}, [
        { siteUrl: "sc-domain:example.com", permissionLevel: "siteUnverifiedUser" },
        { siteUrl: "https://www.example.com/", permissionLevel: "siteFullUser" }
      ])
      assert.strictEqual(
        (yield* runTool(gscTopQueries, provider, { site: "example.com" }))["site"],
        "https://www.example.com/"
      )
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), [
        "sites.list",
        "searchanalytics.query",
        "searchanalytics.query"
      ])
    }))

  it.effect("fails with the provider's error", () =>
    Effect.gen(function*() {
      const refused = new UpstreamError({ status: 403, details: { error: { code: 403 } } })
      const { provider } = fakeProvider(() => Effect.fail(refused))
      assert.strictEqual(yield* Effect.flip(runTool(gscTopQueries, provider, { site })), refused)
    }))
})
