import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { providerCalls, ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { getUserSites } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { sitesearchCrawlHealth } from "../../../src/Providers/Sitesearch/Tools/CrawlHealth.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { ClientOnLoopback } from "../ClientOnLoopback.ts"
import { apiKey, callSitesearch, connection } from "./Connection.ts"

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

const siteUrl = "https://example.com/"

// Real sockets need the real clock.
layer(ClientOnLoopback, { excludeTestServices: true })("Site search requests over HTTP", (it) => {
  it.effect("renews an unknown token once and retries", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(({ headers }) =>
        headers.authorization === "Bearer second"
          ? { body: { d: [] } }
          : { status: 400, body: failed(18, "InvalidToken") }
      )
      const { access, state } = connection("oauth")
      assert.deepStrictEqual((yield* callSitesearch(getUserSites, {}, access)).value, { d: [] })
      assert.isFalse(state.expired)
    }))

  it.effect("the API key does not appear in errors that echo it", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      for (const code of [3, 8, 18]) {
        loopback.handle(({ url }) => ({ status: 400, body: failed(code, `at ${url}`) }))
        const error = yield* Effect.flip(callSitesearch(getUserSites, {}, connection("api_key").access))
        assert.notInclude(JSON.stringify([error.message, error.details, error]), apiKey)
      }
    }))

  it.effect("the API key does not appear in a partial response", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      const client = yield* ProviderClient
      loopback.handle(({ url }) => {
        if (url.includes("GetUserSites")) return { body: { d: [{ Url: siteUrl, IsVerified: true }] } }
        return url.includes("GetCrawlStats") ? { body: { d: [] } } : { status: 400, body: failed(8, `at ${url}`) }
      })
      const output = yield* sitesearchCrawlHealth.run(
        { site: siteUrl, days: 30, limit: 50 },
        providerCalls(client.call, sitesearch, connection("api_key").access)
      )
      const { issues_error } = yield* Effect.orDie(
        Schema.decodeUnknownEffect(Schema.Struct({ issues_error: Schema.String }))(output)
      )
      assert.match(issues_error, /400: ERROR!!! at .*\[redacted\]/)
      assert.notInclude(JSON.stringify(output), apiKey)
    }))
})
