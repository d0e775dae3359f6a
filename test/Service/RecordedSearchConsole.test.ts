import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { absenceOf, readBeside } from "./Beside.ts"

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

/** Every recording of search console that is a provider's body as it is. */
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

const read = (file: string) => readBeside(`fixtures/google-search-console/${file}`)

const Exchanges = Schema.fromJsonString(Schema.Array(
  Schema.Struct({ url: Schema.String, request_body: Schema.Json, response_body: Schema.Json })
))

const absent = absenceOf("fixtures")

describe.skipIf(absent)(`What was recorded of search console${absent}`, () => {
  layer(TestServer.layer, { excludeTestServices: true })((it) => {
    it.effect.each(bodies)(
      "$file comes through unchanged, is logged, and is served again from the cache",
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

          const logged = yield* server.request("GET", `/v1/logs/${fresh.json.call_id}`, { key: readOnly })
          assert.deepStrictEqual(logged.json.request, call)
          assert.deepStrictEqual(logged.json.response, fresh.json)

          const again = yield* server.call(readOnly, { ...call, max_age: 3600 })
          assert.deepStrictEqual([again.json.cached, again.json.cost_usd, again.json.data], [true, 0, fresh.json.data])
          assert.strictEqual(upstream.requests.length, 1)
        })
    )

    it.effect("a recorded request goes out as it was recorded", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { readOnly } = yield* seed()
        for (const exchange of yield* Schema.decodeEffect(Exchanges)(read("plausible__google_search_console.json"))) {
          upstream.handle(() => ({ body: exchange.response_body }))
          const { json } = yield* server.call(readOnly, {
            provider: "gsc",
            endpoint: "searchanalytics.query",
            input: { path: { siteUrl: "sc-domain:dummy.test" }, body: exchange.request_body }
          })
          assert.deepStrictEqual(json.data, exchange.response_body)
          const [sent] = upstream.requests
          assert.strictEqual(sent?.url, `/gsc${new URL(exchange.url).pathname}`)
          assert.deepStrictEqual(JSON.parse(sent?.body ?? ""), exchange.request_body)
        }
      }))

    it.effect("the tools make sane answers of it", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { readOnly } = yield* seed()
        const rows = JSON.parse(read("velluto__by-query.json")).rows
        const total = { rows: [{ clicks: 400, impressions: 9000, ctr: 400 / 9000, position: 5.25 }] }
        upstream.handle(({ body }) => ({ body: JSON.parse(body).dimensions === undefined ? total : { rows } }))

        const top = yield* server.call(readOnly, {
          provider: "gsc",
          tool: "gsc_top_queries",
          input: { site, limit: 3 }
        })
        assert.deepStrictEqual(top.json.data.rows[0], {
          query: "velluto",
          clicks: 141,
          impressions: 1305,
          ctr: 0.108,
          position: 3.8
        })
        assert.deepStrictEqual([top.json.data.returned, top.json.data.has_more], [3, true])
        assert.deepStrictEqual(top.json.data.totals, { clicks: 400, impressions: 9000, ctr: 0.0444, position: 5.3 })

        const wins = yield* server.call(readOnly, {
          provider: "gsc",
          tool: "gsc_quick_wins",
          input: { site, min_position: 3, max_position: 20, min_impressions: 1, include_page: false }
        })
        assert.strictEqual(wins.json.data.scanned_queries, rows.length)
        for (const row of wins.json.data.rows) {
          assert.isTrue(row.position >= 3 && row.position <= 20)
          assert.isTrue(row.potential_clicks === null || row.potential_clicks >= 0)
        }
      }))
  })
})
