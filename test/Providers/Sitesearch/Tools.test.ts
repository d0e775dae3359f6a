import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { responses, runTool, siteList, url } from "./FakeSitesearch.ts"

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
