import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { recordedTraffic } from "../support/OutsideFolder.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const site = "sc-domain:example.com"

const query = (dimension: string) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: [dimension] } }
})

const inspect = (inspectionUrl: string, siteUrl: string) => ({
  provider: "gsc",
  endpoint: "urlInspection.index.inspect",
  input: { body: { inspectionUrl, siteUrl, languageCode: "fr" } }
})

const bodies = [
  { file: "velluto__by-query.json", call: query("query") },
  { file: "velluto__by-date.json", call: query("date") },
  { file: "aifitnessapi__by-query.json", call: query("query") },
  { file: "pipulate__by-query.json", call: query("query") },
  { file: "petandzen__inspect-indexed-fr.json", call: inspect("https://petandzen.fr/", "sc-domain:petandzen.fr") },
  { file: "petandzen__inspect-unknown-fr.json", call: inspect("https://petandzen.fr/", "sc-domain:petandzen.fr") },
  {
    file: "google-docs-sample__inspect.json",
    call: inspect("https://developers.google.com/search/help", "https://developers.google.com/search/")
  }
]

const read = (file: string) => recordedTraffic.read(`google-search-console/${file}`)

const Exchanges = Schema.fromJsonString(Schema.Array(
  Schema.Struct({ url: Schema.String, request_body: Schema.Json, response_body: Schema.Json })
))

describe.skipIf(recordedTraffic.isAbsent)(`The recorded traffic of Search Console${recordedTraffic.absence}`, () => {
  layer(TestServer.layer, { excludeTestServices: true })((it) => {
    it.effect.each(bodies)(
      "in $file is passed on unchanged",
      ({ call, file }) =>
        Effect.gen(function*() {
          const server = yield* TestServer
          const upstream = yield* LoopbackUpstream
          const { readOnly } = yield* seed()
          const recorded = read(file)
          upstream.handle(() => ({ headers: { "content-type": "application/json" }, body: recorded }))

          const fresh = yield* server.call(readOnly, call)
          assert.strictEqual(fresh.status, 200)
          assert.isTrue(fresh.text.endsWith(`"data":${recorded}}`), "byte for byte")
        })
    )

    it.effect("has requests that the service sends the same way", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { reader } = yield* seed()
        for (const exchange of yield* Schema.decodeEffect(Exchanges)(read("plausible__google_search_console.json"))) {
          upstream.handle(() => ({ body: exchange.response_body }))
          const { data } = yield* reader.call.call({
            payload: {
              provider: "gsc",
              endpoint: "searchanalytics.query",
              input: { path: { siteUrl: "sc-domain:dummy.test" }, body: exchange.request_body }
            }
          })
          assert.deepStrictEqual(data, exchange.response_body)
          const [sent] = upstream.requests
          assert.strictEqual(sent?.url, `/gsc${new URL(exchange.url).pathname}`)
          assert.deepStrictEqual(JSON.parse(sent?.body ?? ""), exchange.request_body)
        }
      }))
  })
})
