import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/Api/Errors.ts"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { responses, runTool, siteList, toolNamed, url } from "./FakeSitesearch.ts"

const ranked = "site, days 30 (7 to 180), start, end, compare, limit 25 (1 to 500), offset 0 (0 to 100000), contains"

describe("Site search tools", () => {
  it.each([
    { name: "sitesearch_top_queries", fields: ranked },
    { name: "sitesearch_top_pages", fields: `${ranked}, path_contains` },
    { name: "sitesearch_crawl_health", fields: "site, days 30 (1 to 180), start, end, limit 50 (1 to 500)" },
    { name: "sitesearch_list_sites", fields: "verified_only false" }
  ])("$name takes $fields", ({ fields, name }) => {
    const { properties } = jsonSchemaOf(toolNamed(name).input)
    const given = Object.entries(Object(properties)).map(([name, field]) => {
      const { default: value, maximum, minimum } = Object(field)
      return [name, value ?? [], minimum === undefined ? [] : `(${minimum} to ${maximum})`].flat().join(" ")
    })
    assert.strictEqual(given.join(", "), fields)
  })
})

describe("Verification codes", () => {
  it.effect.each(sitesearchTools)("$name never returns them", ({ name }) =>
    Effect.gen(function*() {
      const none = { d: [] }
      const bodies = responses({
        GetQueryStats: none,
        GetPageStats: none,
        GetCrawlStats: none,
        GetCrawlIssues: siteList
      })
      const input = name === "sitesearch_list_sites" ? {} : { site: url }
      const { output } = yield* runTool(name, input, bodies)
      assert.notMatch(JSON.stringify(output), /code258cad36/i)
      if (name === "sitesearch_list_sites") return
      const error = yield* Effect.flip(runTool(name, { site: "other.example" }, bodies))
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
