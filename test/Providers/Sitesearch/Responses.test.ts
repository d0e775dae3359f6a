import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Verdict } from "../../../src/Providers/Provider.ts"
import { providerCalls, ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { classifySitesearch } from "../../../src/Providers/Sitesearch/Classify.ts"
import { getUserSites } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { parseDay } from "../../../src/Providers/Sitesearch/Responses.ts"
import { sitesearchCrawlHealth } from "../../../src/Providers/Sitesearch/Tools/CrawlHealth.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { ClientOnLoopback } from "../ClientOnLoopback.ts"
import { accessBy, apiKey, callSitesearch, siteList, url as siteUrl } from "./FakeSitesearch.ts"

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

describe("The answers of Site Search Webmaster", () => {
  it.each<readonly [why: string, status: number, body: unknown, oauth: Verdict, apiKey: Verdict]>([
    ["data", 200, { d: [] }, "ok", "ok"],
    ["no data", 200, { d: null }, "ok", "ok"],
    ["ErrorCode 0", 200, { ErrorCode: 0, Message: "" }, "ok", "ok"],
    ["data that names a code", 200, { d: [{ ErrorCode: 3 }] }, "ok", "ok"],
    ["a 401 with a page", 401, undefined, "unauthorized", "rejected"],
    ["a 401 with a body", 401, { Message: "" }, "unauthorized", "rejected"],
    ["a 401 about the site", 401, failed(14, "NotAuthorized"), "unauthorized", "rejected"],
    ["a 401 for a blocked user", 401, failed(6, "UserBlocked"), "rejected", "rejected"],
    ["HTTP throttling", 429, undefined, "error", "error"],
    ["a 400 without a code", 400, { ErrorCode: 0 }, "error", "error"],
    ["a redirect", 302, undefined, "error", "error"]
  ])("with %s are classified", (_, status, body, oauth, apiKey) => {
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "oauth" }), oauth)
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "api_key" }), apiKey)
  })
})

describe("Dates of Site Search Webmaster", () => {
  it.each([
    { date: "/Date(1316156400000-0700)/", day: "2011-09-16", why: "midnight in summer" },
    { date: "/Date(1771574400000-0800)/", day: "2026-02-20", why: "midnight in winter" },
    { date: "/Date(1730617200000-0700)/", day: "2024-11-03", why: "the day the clocks go back" },
    { date: "/Date(1399100400000)/", day: "2014-05-03", why: "no offset" },
    { date: "/Date(1700139600000+1030)/", day: "2023-11-16", why: "an offset ahead of UTC, on the day before" },
    { date: "/Date(1700143200000+1030)/", day: "2023-11-17", why: "an offset ahead of UTC" },
    { date: "/Date(-11644473600000)/", day: null, why: "never as the year 1601" },
    { date: "/Date(-62135596800000)/", day: null, why: "never as the year 1" },
    { date: "/Date(99999999999999999)/", day: null, why: "out of range" },
    { date: "2026-02-20", day: null, why: "another form" }
  ])("$date becomes $day ($why)", ({ date, day }) => {
    assert.strictEqual(parseDay(date), day)
  })
})

// Real sockets need the real clock.
layer(ClientOnLoopback, { excludeTestServices: true })("Site search requests over HTTP", (it) => {
  it.effect("the API key does not appear in errors that echo it", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      for (const code of [3, 8, 18]) {
        loopback.handle(({ url }) => ({ status: 400, body: failed(code, `at ${url}`) }))
        const error = yield* Effect.flip(callSitesearch(getUserSites, {}, accessBy("api_key")))
        assert.notInclude(JSON.stringify([error.message, error.details, error]), apiKey)
      }
    }))

  it.effect("the API key does not appear in a partial response", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      const client = yield* ProviderClient
      loopback.handle(({ url }) => {
        if (url.includes("GetUserSites")) return { body: siteList }
        return url.includes("GetCrawlStats") ? { body: { d: [] } } : { status: 400, body: failed(8, `at ${url}`) }
      })
      const output = yield* sitesearchCrawlHealth.run(
        { site: siteUrl, days: 30, limit: 50 },
        providerCalls(client.call, sitesearch, accessBy("api_key"))
      )
      const { issues_error } = yield* Effect.orDie(
        Schema.decodeUnknownEffect(Schema.Struct({ issues_error: Schema.String }))(output)
      )
      assert.match(issues_error, /400: ERROR!!! at .*\[redacted\]/)
      assert.notInclude(JSON.stringify(output), apiKey)
    }))
})
