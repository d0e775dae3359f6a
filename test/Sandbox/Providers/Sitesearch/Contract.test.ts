import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Access } from "../../../../src/Providers/ProviderClient.ts"
import { sitesearchIdentity } from "../../../../src/Providers/Sitesearch/IdentityProvider.ts"
import { sitesearch } from "../../../../src/Providers/Sitesearch/Provider.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { sandboxApiKey } from "../../../../src/Sandbox/Providers/Sitesearch/FakeProvider.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"
import { shop } from "./Fixture.ts"

const apiKeyAccess: Access = {
  authType: "api_key",
  ownsFiles: Effect.succeed(false),
  secret: Effect.succeed(Redacted.make(sandboxApiKey)),
  renew: () => Effect.die("an API key cannot be renewed"),
  expire: Effect.void
}

const ofSite = { query: { siteUrl: shop } }
const inputs: Readonly<Record<string, object>> = {
  GetUserSites: {},
  GetQueryPageStats: { query: { siteUrl: shop, query: "\"hori hori\" knife" } },
  GetQueryTrafficStats: { query: { siteUrl: shop, query: "compost bin" } },
  GetPageQueryStats: { query: { siteUrl: shop, page: `${shop}products/compost-bin` } },
  GetKeywordStats: { query: { q: "compost bin" } },
  SubmitUrl: { body: { siteUrl: shop, url: `${shop}a` } },
  SubmitUrlBatch: { body: { siteUrl: shop, urlList: [`${shop}b`, `${shop}c`] } }
}

layer(clientsOf(sandboxAt(now)))("Site search through the service", (it) => {
  for (const { id } of sitesearch.endpoints) {
    it.effect(`${id} accepts an API key and an OAuth token`, () =>
      Effect.gen(function*() {
        const { access } = yield* oauthConnection(sitesearchIdentity, scopes.webmasterManage)
        for (const each of [apiKeyAccess, access]) {
          const text = yield* call(sitesearch, id, inputs[id] ?? ofSite, each)
          assert.isTrue(id.startsWith("Submit") ? at(text, "d") === null : text.length > 80)
        }
      }))
  }

  it.effect("sitesearch_top_queries adds up weeks", () =>
    Effect.gen(function*() {
      const text = yield* call(
        sitesearch,
        "sitesearch_top_queries",
        { site: "fernhill.example", days: 28 },
        apiKeyAccess
      )
      assert.deepStrictEqual([at(text, "site"), at(text, "buckets"), at(text, "latest_bucket")], [
        shop,
        4,
        "2026-03-13"
      ])
      assert.strictEqual(at(text, "rows", 0, "query"), "fernhill")
      assert.isAbove(Number(at(text, "total")), 50)
    }))

  it.effect("sitesearch_top_pages lists pages", () =>
    Effect.gen(function*() {
      const text = yield* call(sitesearch, "sitesearch_top_pages", { site: shop }, apiKeyAccess)
      assert.strictEqual(at(text, "rows", 0, "page"), shop)
    }))

  it.effect("sitesearch_crawl_health names every flag, also an unknown one", () =>
    Effect.gen(function*() {
      const text = yield* call(sitesearch, "sitesearch_crawl_health", { site: shop }, apiKeyAccess)
      assert.strictEqual(at(text, "latest_day"), "2026-03-17")
      assert.strictEqual(at(text, "issues", 0, "url"), `${shop}sale`)
      assert.strictEqual(at(text, "issue_counts", "Unknown512"), 1)
      assert.strictEqual(at(text, "issue_counts", "ImportantUrlBlockedByRobotsTxt"), 1)
    }))

  it.effect("sitesearch_list_sites lists the unverified site", () =>
    Effect.gen(function*() {
      const text = yield* call(sitesearch, "sitesearch_list_sites", {}, apiKeyAccess)
      assert.include(text, "https://old.fernhill.example/")
    }))
})
