import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted, Schema } from "effect"
import type { AuthType } from "../../../src/Domain/Connection.ts"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { ProviderHttp } from "../../../src/Outbound/UndiciHttpClient.ts"
import { authTypesOf, type RawEndpoint } from "../../../src/Providers/Provider.ts"
import { type Access, providerCalls, ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { Quotas } from "../../../src/Providers/Quotas/Quotas.ts"
import { getUserSites, sitesearchEndpoints } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { sitesearchCrawlHealth } from "../../../src/Providers/Sitesearch/Tools/CrawlHealth.ts"
import { Upstream } from "../../../src/Providers/Upstream.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { readRequest } from "../../support/SitesearchReference.ts"
import { recording } from "./Recordings.ts"

const KEY = "5ecre7edecc1ea4ae341cc8b6a1b2c3d4"

const connection = (authType: AuthType) => {
  const state = { expired: false }
  const access: Access = {
    authType,
    ownsFiles: Effect.succeed(true),
    secret: Effect.succeed(Redacted.make(authType === "api_key" ? KEY : "first")),
    renew: () => Effect.succeed(Redacted.make("second")),
    expire: Effect.sync(() => {
      state.expired = true
    })
  }
  return { access, state }
}

const call = Effect.fnUntraced(function*(endpoint: RawEndpoint, input: unknown, access: Access) {
  const client = yield* ProviderClient
  const decoded = yield* Effect.orDie(Effect.fromResult(validator(endpoint.input)(input)))
  return yield* client.call({ provider: sitesearch, endpoint, input: decoded, access })
})

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

const prefix = "/sitesearch"
const siteUrl = "https://example.com/"
const awkwardSites = [
  siteUrl,
  "http://www.bücher.example/größe & mehr/?a=b&c=d+e#f",
  "\"quoted.example\"",
  "100%25.example"
]
const awkwardTexts = [
  "python",
  "c++ & c# = 100%",
  "\"exact phrase\" -not",
  " \"led by a blank",
  "\"",
  "\\\"",
  "it's (a) *star*!",
  "🚀 日本語 ‮rtl",
  "a\tb\nc",
  "{\"not\":\"json\"}",
  "null",
  "apikey=x&siteUrl=y"
]
const siteExamples = awkwardSites.map((siteUrl) => ({ siteUrl }))
const queryExamples = awkwardTexts.map((query) => ({ siteUrl, query }))

const examplesById: Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>> = {
  GetUserSites: [{}],
  GetQueryStats: siteExamples,
  GetPageStats: siteExamples,
  GetRankAndTrafficStats: siteExamples,
  GetQueryPageStats: queryExamples,
  GetPageQueryStats: [
    { siteUrl, page: "https://example.com/a?b=c&d=\"e\"" },
    { siteUrl, page: "\"https://example.com/\"" }
  ],
  GetQueryTrafficStats: queryExamples,
  GetCrawlStats: siteExamples,
  GetCrawlIssues: siteExamples,
  GetFeeds: siteExamples,
  GetUrlSubmissionQuota: siteExamples,
  GetKeywordStats: [
    { q: "python" },
    ...awkwardTexts.map((q) => ({ q, country: "us", language: "en-US" }))
  ],
  SubmitUrl: [
    { siteUrl, url: "https://example.com/a b?c=\"d\"&e=ü#f" },
    { siteUrl: "\"quoted.example\"", url: "HTTP://EXAMPLE.COM" }
  ],
  SubmitUrlBatch: [
    { siteUrl, urlList: ["http://example.com/url1"] },
    { siteUrl, urlList: Array.from({ length: 500 }, (_, page) => `https://example.com/${page}?q=ü`) }
  ]
}

const TestLayer = ProviderClient.layer.pipe(
  Layer.provide(Quotas.layerOff),
  Layer.provide(Upstream.layer),
  Layer.provide(ProviderHttp.layer),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
  Layer.provide(LoopbackUpstream.originsLayer),
  Layer.provideMerge(LoopbackUpstream.layer)
)

// Real sockets need the real clock.
layer(TestLayer, { excludeTestServices: true })("Site search requests over HTTP", (it) => {
  for (const authType of authTypesOf(sitesearch)) {
    it.effect.each(sitesearchEndpoints)(
      `the provider reads the input of $id unchanged, with ${authType}`,
      (endpoint) =>
        Effect.gen(function*() {
          const loopback = yield* LoopbackUpstream
          const { access } = connection(authType)
          const examples = examplesById[endpoint.id] ?? []
          assert.isNotEmpty(examples)
          for (const parameters of examples) {
            loopback.handle((request) => ({ body: { d: [readRequest(request, prefix)] } }))
            const part = endpoint.method === "POST" ? "body" : "query"
            const input = Object.keys(parameters).length === 0 ? {} : { [part]: parameters }
            const answer = yield* call(endpoint, input, access)
            assert.deepStrictEqual(answer.value, { d: [{ method: endpoint.id, parameters }] })
            const [request] = loopback.requests
            assert.strictEqual(request?.headers.authorization, authType === "oauth" ? "Bearer first" : undefined)
            assert.strictEqual(request?.url.endsWith(`apikey=${KEY}`), authType === "api_key")
          }
        })
    )
  }

  it.effect.each([
    {
      why: "another case",
      url: "/webmaster/api.svc/json/GetQueryStats?siteurl=a&apikey=k",
      refusal: "siteUrl is missing"
    },
    { why: "no such method", url: "/webmaster/api.svc/json/GetSites?apikey=k", refusal: "404" },
    { why: "no credential", url: "/webmaster/api.svc/json/GetUserSites", refusal: "one credential" },
    { why: "a date", url: "/webmaster/api.svc/json/GetPageStats?siteUrl=a&startDate=b&apikey=k", refusal: "startDate" },
    { why: "a bare quote", url: "/webmaster/api.svc/json/GetQueryStats?siteUrl=%22a&apikey=k", refusal: "JSON parser" }
  ])("the fake provider refuses $why", ({ refusal, url }) =>
    Effect.sync(() => {
      const reading = readRequest({ method: "GET", url: `${prefix}${url}`, headers: {}, body: "" }, prefix)
      assert.include("refusal" in reading ? reading.refusal : "", refusal)
    }))

  it.effect.skipIf(recordedTraffic.isAbsent)(
    `returns recorded responses unchanged${recordedTraffic.absence}`,
    () =>
      Effect.gen(function*() {
        const loopback = yield* LoopbackUpstream
        for (const name of ["ms-learn__GetUserSites", "ms-learn__GetFeeds", "merj__test_get_crawl_stats"]) {
          const body = JSON.stringify(recording(name).body, null, 2).replaceAll("/", "\\/")
          loopback.handle(() => ({ body }))
          const answer = yield* call(getUserSites, {}, connection("api_key").access)
          assert.strictEqual(answer.text, body)
        }
      })
  )

  it.effect("renews an unknown token once and retries", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(({ headers }) =>
        headers.authorization === "Bearer second"
          ? { body: { d: [] } }
          : { status: 400, body: failed(18, "InvalidToken") }
      )
      const { access, state } = connection("oauth")
      assert.deepStrictEqual((yield* call(getUserSites, {}, access)).value, { d: [] })
      assert.isFalse(state.expired)
    }))

  it.effect("the API key does not appear in errors that echo it", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      for (const code of [3, 8, 18]) {
        loopback.handle(({ url }) => ({ status: 400, body: failed(code, `at ${url}`) }))
        const error = yield* Effect.flip(call(getUserSites, {}, connection("api_key").access))
        assert.notInclude(JSON.stringify([error.message, error.details, error]), KEY)
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
      assert.notInclude(JSON.stringify(output), KEY)
    }))
})
