import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Predicate, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamError } from "../../../src/Api/Errors.ts"
import { validator } from "../../../src/Api/Issues.ts"
import { gscQuickWins, gscTools, gscTopQueries } from "../../../src/Providers/Gsc/Tools.ts"
import { jsonSchemaOf } from "../../../src/Providers/JsonSchema.ts"
import type { ProviderCalls, RawInput, SmartTool } from "../../../src/Providers/Provider.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { fixture } from "../../support/Fixtures.ts"
import { disagreements, gapsOf } from "../../support/InputSchema.ts"

interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks?: number
  readonly impressions?: number
  readonly ctr?: number
  readonly position?: number
}

const Body = Schema.Struct({
  startDate: Schema.String,
  endDate: Schema.String,
  type: Schema.String,
  dataState: Schema.String,
  dimensions: Schema.optionalKey(Schema.Array(Schema.String)),
  rowLimit: Schema.Int,
  startRow: Schema.optionalKey(Schema.Int),
  dimensionFilterGroups: Schema.Array(Schema.Unknown)
})
const bodyOf = (input: RawInput) => Schema.decodeUnknownSync(Body)(input.body)

/** A property with rows by dimensions (`query`, `query,page`, and none for the totals), cut as the provider cuts. */
const searchConsole = (tables: Readonly<Record<string, ReadonlyArray<Row>>>, sites: ReadonlyArray<unknown> = []) =>
  fakeProvider((endpoint, input) => {
    if (endpoint === "sites.list") return { siteEntry: sites }
    const { dimensions = [], rowLimit, startRow = 0 } = bodyOf(input)
    const rows = (tables[dimensions.join()] ?? []).slice(startRow, startRow + rowLimit)
    return { responseAggregationType: "byProperty", ...(rows.length === 0 ? {} : { rows }) }
  })

/** Runs a tool as the service does: its input decoded, its output JSON. */
const run = <Input>(tool: SmartTool<Input>, provider: ProviderCalls, input: unknown) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-10-06T06:30:00Z")))
    const decoded = Result.getOrThrow(validator(tool.input, ["input"])(input))
    const output: unknown = JSON.parse(JSON.stringify(yield* tool.run(decoded, provider)))
    return Predicate.isObject(output) ? { ...output } as Record<string, unknown> : {}
  })

const site = "sc-domain:example.com"
const total: Row = { clicks: 12, impressions: 400, ctr: 0.03, position: 7.449 }
const queries = (count: number): ReadonlyArray<Row> =>
  Array.from({ length: count }, (_, index) => ({
    keys: [`q${index}`],
    clicks: count - index,
    impressions: 1000,
    ctr: (count - index) / 1000,
    position: 3
  }))

const rowsOf = (output: Record<string, unknown>): ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(output["rows"]) ? output["rows"] : []
const namesOf = (output: Record<string, unknown>) => rowsOf(output).map((row) => row["query"])

describe("gsc_top_queries", () => {
  it.effect("the answer in full", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({
        "": [total],
        query: [
          { keys: ["shoes"], clicks: 3.0, impressions: 7, ctr: 0.42857142857142855, position: 2.25 },
          { keys: ["boots"], impressions: 5, ctr: 0, position: 9.449 }
        ]
      })
      assert.deepStrictEqual(yield* run(gscTopQueries, provider, { site }), {
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

  it.effect("trap, lag: the window has N days and ends before the days that are still being collected", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({})
      const settled = yield* run(gscTopQueries, provider, { site, days: 7 })
      assert.deepInclude(settled, { start: "2026-09-26", end: "2026-10-02", data_state: "final" })
      const fresh = yield* run(gscTopQueries, provider, { site, days: 7, fresh: true })
      assert.deepInclude(fresh, { start: "2026-09-28", end: "2026-10-04", data_state: "all" })
      assert.include(fresh["note"], "still being collected")
    }))

  it.effect("trap, hidden queries: totals are the provider's own and not the sum of rows", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({ "": [total], query: queries(2) })
      const output = yield* run(gscTopQueries, provider, { site })
      assert.deepStrictEqual(output["totals"], { clicks: 12, impressions: 400, ctr: 0.03, position: 7.4 })
      assert.notProperty(output, "note")
    }))

  it.effect.each([{ query_contains: "shoe" }, { exclude_terms: "acme" }])(
    "trap, hidden queries: a condition on queries ($query_contains$exclude_terms) takes them from the totals, too",
    (input) =>
      Effect.gen(function*() {
        const { provider } = searchConsole({ "": [total], query: queries(2) })
        assert.include((yield* run(gscTopQueries, provider, { site, ...input }))["note"], "missing from totals")
      })
  )

  it.effect("the conditions hold for the rows and for the totals", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({})
      const input = { site, query_contains: "shoe", exclude_terms: ["a.b"], country: "us", device: "tablet" }
      yield* run(gscTopQueries, provider, { ...input, search_type: "image" })
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

  it.effect("trap, query by page: queries are asked for alone, since a query counts again for every page", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({})
      yield* run(gscTopQueries, provider, { site, page_contains: "/blog/" })
      assert.deepStrictEqual(calls.map(({ input }) => bodyOf(input).dimensions), [["query"], undefined])
    }))

  it.effect("trap, paging: a list that fits exactly has no more", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({ query: queries(25) })
      assert.deepInclude(yield* run(gscTopQueries, provider, { site }), { returned: 25, has_more: false })
      assert.deepInclude(yield* run(gscTopQueries, provider, { site, limit: 24 }), {
        returned: 24,
        has_more: true,
        next_offset: 24
      })
    }))

  it.effect("following next_offset gives every query once", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({ query: queries(23) })
      const seen: Array<unknown> = []
      let offset: unknown = 0
      while (offset !== undefined) {
        const output: Record<string, unknown> = yield* run(gscTopQueries, provider, { site, limit: 5, offset })
        seen.push(...namesOf(output))
        offset = output["next_offset"]
      }
      assert.deepStrictEqual(seen, queries(23).map(({ keys }) => keys?.[0]))
    }))

  it.effect("an empty answer says for which window, and knows no rate", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({})
      const output = yield* run(gscTopQueries, provider, { site })
      assert.deepInclude(output, { rows: [], returned: 0, has_more: false })
      assert.deepStrictEqual(output["totals"], { clicks: 0, impressions: 0, ctr: null, position: null })
      assert.match(String(output["note"]), /2026-09-05 to 2026-10-02.*2 to 3 days behind/)
    }))

  it.effect("trap, sites: a bare host means the property that the account has verified", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({}, [
        { siteUrl: "sc-domain:example.com", permissionLevel: "siteUnverifiedUser" },
        { siteUrl: "https://www.example.com/", permissionLevel: "siteFullUser" }
      ])
      assert.strictEqual(
        (yield* run(gscTopQueries, provider, { site: "example.com" }))["site"],
        "https://www.example.com/"
      )
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), [
        "sites.list",
        "searchanalytics.query",
        "searchanalytics.query"
      ])
    }))

  it.effect("the provider's error is the tool's", () =>
    Effect.gen(function*() {
      const refused = new UpstreamError({ status: 403, details: { error: { code: 403 } } })
      const { provider } = fakeProvider(() => Effect.fail(refused))
      assert.strictEqual(yield* Effect.flip(run(gscTopQueries, provider, { site })), refused)
    }))
})

describe("gsc_quick_wins", () => {
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

  it.effect("the answer in full", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({ query: table, "query,page": pages })
      assert.deepStrictEqual(yield* run(gscQuickWins, provider, { site }), {
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
        rows: [
          {
            query: "guide",
            page: "https://example.com/guide",
            position: 11,
            impressions: 500,
            clicks: 4,
            ctr: 0.008,
            potential_clicks: 23
          },
          { query: "howto", position: 8, impressions: 120, clicks: 0, ctr: 0, potential_clicks: 7 }
        ]
      })
      assert.deepStrictEqual(calls.map(({ input }) => bodyOf(input)).at(-1), {
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

  it.effect("trap, day rows and query by page: totals come from rows by query alone", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({ query: table, "query,page": pages })
      const output = yield* run(gscQuickWins, provider, { site })
      assert.deepStrictEqual(calls.map(({ input }) => bodyOf(input).dimensions), [["query"], ["query", "page"]])
      assert.include(JSON.stringify(output["rows"]), "\"impressions\":500")
    }))

  it.effect("trap, the first page only: a win at the end of the list is found", () =>
    Effect.gen(function*() {
      const late: Row = { keys: ["late"], clicks: 0, impressions: 70, ctr: 0, position: 15 }
      const { calls, provider } = searchConsole({ query: [...queries(30_000), late] })
      const output = yield* run(gscQuickWins, provider, { site, include_page: false })
      assert.deepStrictEqual(namesOf(output), ["late"])
      assert.deepInclude(output, { scanned_queries: 30_001, row_cap_hit: false })
      assert.deepStrictEqual(calls.map(({ input }) => bodyOf(input).startRow), [0, 25_000])
    }))

  it.effect("more queries than the provider gives are reported", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({ query: queries(60_000) })
      assert.deepInclude(yield* run(gscQuickWins, provider, { site }), { scanned_queries: 50_000, row_cap_hit: true })
      assert.strictEqual(calls.length, 2)
    }))

  it.effect("trap, overlapping pages: a query that comes again counts once", () =>
    Effect.gen(function*() {
      const win: Row = { keys: ["tie"], clicks: 0, impressions: 70, ctr: 0, position: 15 }
      const { provider } = searchConsole({ query: [...queries(24_999), win, win] })
      const output = yield* run(gscQuickWins, provider, { site, include_page: false })
      assert.deepInclude(output, { scanned_queries: 25_000, matched: 1 })
    }))

  it.effect("without a match the hint says what would match", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({ query: table })
      const output = yield* run(gscQuickWins, provider, { site, min_impressions: 1000 })
      assert.deepInclude(output, {
        matched: 0,
        rows: [],
        hint: { best_impressions_in_band: 500, queries_in_band: 3 }
      })
      assert.match(String(output["note"]), /2026-09-05 to 2026-10-02/)
      assert.strictEqual(calls.length, 1)
    }))

  it.effect("too little evidence on page one: no potential is made up", () =>
    Effect.gen(function*() {
      const { provider } = searchConsole({ query: table.slice(1, 2) })
      const output = yield* run(gscQuickWins, provider, { site, include_page: false })
      assert.strictEqual(output["site_ctr_top10"], null)
      assert.include(JSON.stringify(output["rows"]), "\"potential_clicks\":null")
    }))

  it.effect("pages are looked up for the rows that are returned only", () =>
    Effect.gen(function*() {
      const { calls, provider } = searchConsole({ query: table })
      const output = yield* run(gscQuickWins, provider, { site, limit: 1, offset: 1 })
      assert.deepStrictEqual(namesOf(output), ["howto"])
      assert.include(JSON.stringify(calls.at(-1)), "^(?:howto)$")
    }))

  it("max_position is not less than min_position", () => {
    const validate = validator(gscQuickWins.input, ["input"])
    assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(validate({ site, min_position: 21 }))), [
      { path: ["input", "max_position"], message: "Expected a position that is not less than min_position" }
    ])
    assert.isTrue(Result.isSuccess(validate({ site, min_position: 20, max_position: 20 })))
  })
})

describe.each(gscTools)("$name", ({ description, input, name }) => {
  it("its input_schema is flat, closed and described throughout", () => {
    const schema = jsonSchemaOf(input)
    assert.deepStrictEqual(gapsOf(schema), [])
    assert.notInclude(JSON.stringify(schema), "oneOf")
    assert.notProperty(schema, "$defs")
  })

  it("accepts exactly what its input_schema does, but for the rules beyond JSON Schema", () => {
    const valid = [
      { site },
      { site: "example.com", days: 486, limit: 200, offset: 49_000, fresh: true },
      { site: "https://example.com", exclude_terms: ["a", "b"], country: "de", device: "MOBILE", search_type: "news" },
      { site, query_contains: "", page_contains: "🚀".repeat(500), exclude_terms: "a,b", country: "", device: "" },
      ...(name === "gsc_quick_wins"
        ? [{ site, min_position: 4, max_position: 15.5, min_impressions: 1_000_000, include_page: false }]
        : [{ site, limit: 1000 }])
    ]
    const rules = /ISO 3166-1|as one regular expression|not less than min_position/
    assert.deepStrictEqual(disagreements(input, valid, (message) => rules.test(message)), [])
  })

  it("its description says lag, window, unit, order, truncation, emptiness and the sibling", () => {
    for (
      const fact of [
        /2 to 3 days behind/,
        /`days` whole days in Pacific time/,
        /fraction/,
        /[Ss]orted by/,
        /`limit` rows.*`has_more`/,
        /`rows` is empty/,
        name === "gsc_top_queries" ? /use gsc_quick_wins/ : /use gsc_top_queries/
      ]
    ) {
      assert.match(description, fact)
    }
  })
})

describe("Gsc tools on recorded traffic", () => {
  for (const name of ["aifitnessapi__by-query", "velluto__by-query", "pipulate__by-query"] as const) {
    it.effect(`sane output on ${name}`, (context) =>
      Effect.gen(function*() {
        const recorded = fixture(context, `google-search-console/${name}.json`)
        const { provider } = fakeProvider(() => recorded)
        const top = yield* run(gscTopQueries, provider, { site, limit: 1000 })
        assert.isAbove(Number(top["returned"]), 0)
        const wins = yield* run(gscQuickWins, provider, { site, min_impressions: 1, include_page: false })
        assert.isAbove(Number(wins["matched"]), 0)
        const rows = [...rowsOf(top), ...rowsOf(wins)]
        for (const row of rows) {
          assert.isTrue(Number.isInteger(row["clicks"]) && Number.isInteger(row["impressions"]))
          assert.isTrue(Number(row["ctr"]) >= 0 && Number(row["ctr"]) <= 1)
          assert.isAtLeast(Number(row["position"]), 1)
        }
        for (const row of rowsOf(wins)) {
          assert.isTrue(Number(row["position"]) >= 8 && Number(row["position"]) <= 20)
        }
      }))
  }
})
