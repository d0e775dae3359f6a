import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { gsc } from "../../../../src/Providers/Gsc/Provider.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { responseFaults } from "../../../support/Discovery.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"
import { blog, domain, weeks } from "./Fixture.ts"

const calls: ReadonlyArray<readonly [string, string, object]> = [
  ["webmasters.sites.list", "sites.list", {}],
  ["webmasters.sites.get", "sites.get", { path: { siteUrl: blog } }],
  ["webmasters.searchanalytics.query", "searchanalytics.query", { path: { siteUrl: domain }, body: weeks }],
  ["webmasters.searchanalytics.query", "searchanalytics.query", {
    path: { siteUrl: domain },
    body: { startDate: "2026-03-01", endDate: "2026-03-18", dimensions: ["DATE", "page"], dataState: "ALL" }
  }],
  ["webmasters.searchanalytics.query", "searchanalytics.query", {
    path: { siteUrl: blog },
    body: { ...weeks, dimensions: ["page"], type: "discover" }
  }],
  ["webmasters.sitemaps.list", "sitemaps.list", { path: { siteUrl: domain } }],
  ["webmasters.sitemaps.get", "sitemaps.get", {
    path: { siteUrl: domain, feedpath: "https://blog.fernhill.example/sitemap.xml" }
  }],
  ["searchconsole.urlInspection.index.inspect", "urlInspection.index.inspect", {
    body: { siteUrl: domain, inspectionUrl: "https://www.fernhill.example/products/dibber" }
  }]
]

layer(clientsOf(sandboxAt(now)))("Search console through the service", (it) => {
  for (const [method, endpoint, input] of calls) {
    it.effect(`${endpoint} matches the discovery document (${JSON.stringify(input).slice(0, 90)})`, () =>
      Effect.gen(function*() {
        const { access } = yield* oauthConnection(google, scopes.webmastersReadonly)
        const text = yield* call(gsc, endpoint, input, access)
        assert.deepStrictEqual(responseFaults("gsc", method, at(text)), [])
        assert.isAbove(text.length, 40)
      }))
  }

  it.effect("gsc_top_queries lists the brand first, with totals above its rows", () =>
    Effect.gen(function*() {
      const { access } = yield* oauthConnection(google, scopes.webmastersReadonly)
      const text = yield* call(gsc, "gsc_top_queries", { site: "fernhill.example" }, access)
      assert.strictEqual(at(text, "site"), domain)
      assert.deepStrictEqual([at(text, "start"), at(text, "end")], ["2026-02-16", "2026-03-15"])
      assert.strictEqual(at(text, "rows", 0, "query"), "fernhill")
      assert.deepStrictEqual([at(text, "returned"), at(text, "has_more")], [25, true])
      assert.isAbove(Number(at(text, "totals", "impressions")), Number(at(text, "rows", 0, "impressions")))
    }))

  it.effect("gsc_quick_wins finds queries at positions 8 to 20 with their pages", () =>
    Effect.gen(function*() {
      const { access } = yield* oauthConnection(google, scopes.webmastersReadonly)
      const text = yield* call(gsc, "gsc_quick_wins", { site: domain, limit: 10 }, access)
      assert.strictEqual(at(text, "returned"), 10)
      assert.isAbove(Number(at(text, "matched")), 25)
      for (let index = 0; index < 10; index++) {
        const position = Number(at(text, "rows", index, "position"))
        assert.isTrue(position >= 8 && position <= 20)
        assert.match(String(at(text, "rows", index, "page")), /^https:\/\/(www|blog)\.fernhill\.example\//)
        assert.isAbove(Number(at(text, "rows", index, "potential_clicks")), 0)
      }
    }))
})
