import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/Api/Errors.ts"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { compileJsonSchema, findDisagreements, findGaps } from "../../support/InputSchema.ts"
import { responses, runTool, siteList, toolNamed, url } from "./FakeSitesearch.ts"

const valid: Record<string, ReadonlyArray<unknown>> = {
  sitesearch_top_queries: [
    { site: "example.com" },
    { site: url, days: 7, limit: 1, offset: 0, contains: "" },
    { site: url, start: "2026-01-01", end: "2026-01-01", compare: "previous_year" },
    { site: url, days: 180, limit: 500, offset: 500, contains: "brand" }
  ],
  sitesearch_top_pages: [{ site: "example.com" }, { site: url, contains: "a", path_contains: "/blog/" }],
  sitesearch_crawl_health: [{ site: "example.com" }, { site: url, days: 1, limit: 500 }, {
    site: url,
    start: "",
    end: ""
  }],
  sitesearch_list_sites: [{}, { verified_only: true }]
}

describe("Site search tools", () => {
  it.each(sitesearchTools)(
    "$name has a valid, flat and closed input_schema that describes every field",
    ({ input, name }) => {
      const schema = jsonSchemaOf(input)
      compileJsonSchema(schema)
      assert.deepStrictEqual(findGaps(schema), [])
      assert.notMatch(JSON.stringify(schema), /"(?:oneOf|anyOf|\$ref)"/)
      const rules = /days or start and end|Required with/
      assert.deepStrictEqual(findDisagreements(input, valid[name] ?? [], (message) => rules.test(message)), [])
    }
  )

  it.each([
    {
      name: "sitesearch_top_queries",
      fields: [
        "site",
        "days 30 (7 to 180)",
        "start",
        "end",
        "compare",
        "limit 25 (1 to 500)",
        "offset 0 (0 to 100000)",
        "contains"
      ]
    },
    {
      name: "sitesearch_top_pages",
      fields: [
        "site",
        "days 30 (7 to 180)",
        "start",
        "end",
        "compare",
        "limit 25 (1 to 500)",
        "offset 0 (0 to 100000)",
        "contains",
        "path_contains"
      ]
    },
    { name: "sitesearch_crawl_health", fields: ["site", "days 30 (1 to 180)", "start", "end", "limit 50 (1 to 500)"] },
    { name: "sitesearch_list_sites", fields: ["verified_only false"] }
  ])("$name takes $fields", ({ fields, name }) => {
    const { properties } = jsonSchemaOf(toolNamed(name).input)
    assert.deepStrictEqual(
      Object.entries(Object(properties)).map(([name, field]) => {
        const { default: value, maximum, minimum } = Object(field)
        return `${name}${value === undefined ? "" : ` ${value}`}${
          minimum === undefined ? "" : ` (${minimum} to ${maximum})`
        }`
      }),
      fields
    )
  })

  it.each([
    {
      name: "sitesearch_top_queries",
      facts: [
        /updates weekly.*lags/,
        /The window .*today, Pacific.*6 days/,
        /`ctr` is a fraction/,
        /Sorted by clicks, then impressions/,
        /at most `limit`.*`has_more`.*top queries only/,
        /Without rows `note`/,
        /use sitesearch_top_pages/,
        /GetRankAndTrafficStats/
      ]
    },
    {
      name: "sitesearch_top_pages",
      facts: [
        /updates weekly.*lags/,
        /The window .*today, Pacific.*6 days/,
        /`ctr` is a fraction/,
        /Sorted by clicks, then impressions/,
        /at most `limit`.*`has_more`.*top pages only/,
        /Without rows `note`/,
        /use sitesearch_top_queries/
      ]
    },
    {
      name: "sitesearch_crawl_health",
      facts: [
        /daily, lag/,
        /The window .*yesterday, Pacific.*6 months/,
        /counts as of `latest_day`.*sums over the window/,
        /most linked first/,
        /at most `limit`.*`has_more`/,
        /`issues_measured` is false/,
        /page content.*never/,
        /sitesearch_list_sites/
      ]
    },
    {
      name: "sitesearch_list_sites",
      facts: [/Sorted by URL/, /complete/, /`note` says why/, /other `sitesearch_` tools/]
    }
  ])(
    "the description of $name covers freshness, window, units, order, truncation, empty results and related tools",
    ({ facts, name }) => {
      for (const fact of facts) assert.match(toolNamed(name).description, fact)
    }
  )
})

describe("Verification codes", () => {
  it.effect.each(sitesearchTools)("$name never returns them", ({ name }) =>
    Effect.gen(function*() {
      const bodies = {
        GetQueryStats: { d: [] },
        GetPageStats: { d: [] },
        GetCrawlStats: { d: [] },
        GetCrawlIssues: siteList
      }
      const input = name === "sitesearch_list_sites" ? {} : { site: url }
      const { output } = yield* runTool(name, input, responses(bodies))
      assert.notMatch(JSON.stringify(output), /code258cad36/i)
      if (name === "sitesearch_list_sites") return
      const error = yield* Effect.flip(runTool(name, { site: "other.example" }, responses(bodies)))
      assert.notMatch(JSON.stringify(error), /code258cad36/i)
    }))

  it.effect("an error for an unexpected response does not show them", () =>
    Effect.gen(function*() {
      const odd = { d: [{ ...siteList.d[0], Url: null }] }
      const error = yield* Effect.flip(runTool("sitesearch_list_sites", {}, responses({ GetUserSites: odd })))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 502)
      assert.notMatch(JSON.stringify([error, error.details]), /code258cad36/i)
    }))
})
