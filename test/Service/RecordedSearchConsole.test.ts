import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { recordedTraffic } from "../support/OutsideFolder.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const read = () => recordedTraffic.read("google-search-console/plausible__google_search_console.json")

const Exchanges = Schema.fromJsonString(Schema.Array(
  Schema.Struct({ url: Schema.String, request_body: Schema.Json, response_body: Schema.Json })
))

describe.skipIf(recordedTraffic.isAbsent)(`The recorded traffic of Search Console${recordedTraffic.absence}`, () => {
  layer(TestServer.layer, { excludeTestServices: true })((it) => {
    it.effect("has requests that the service sends the same way", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { reader } = yield* seed()
        for (const exchange of yield* Schema.decodeEffect(Exchanges)(read())) {
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
