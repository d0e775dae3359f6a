import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { recordedTraffic } from "../support/OutsideFolder.ts"
import { callOf, type RecordedExchange, recordings, withoutNulls } from "../support/Recordings.ts"
import { TestServer } from "../support/TestServer.ts"
import { Connected } from "./Connected.ts"

const unsupported = [
  "google-analytics/nango__run-pivot-report.json google-analytics/nango__properties.json",
  "google-analytics/plausible__ga4_report_imported_sources.json bing-webmaster/merj__test_get_keyword.json",
  "bing-webmaster/merj__test_get_link_counts.json bing-webmaster/merj__test_get_url_links.json",
  "bing-webmaster/merj__test_get_blocked_urls.json",
  "bing-webmaster/merj__test_query_parameter_lifecycle-order-.json bing-webmaster/ms-learn__GetLinkCounts.json"
].flatMap((text) => text.split(" "))

const normalize = (method: string, url: URL, sent: unknown) => ({
  method,
  path: decodeURIComponent(url.pathname),
  query: [...url.searchParams]
    .map(([name, value]) => `${name}=${/^(?:true|false)$/i.test(value) ? value.toLowerCase() : value}`)
    .toSorted(),
  body: method === "GET" ? undefined : withoutNulls(sent)
})

const recordedRequest = ({ method, sent, url }: RecordedExchange) => normalize(method, url, sent)

const sentRequest = ({ body, method, url }: Recorded) =>
  normalize(method, new URL(url.replace(/^\/\w+/, ""), "https://provider.invalid"), body === "" ? {} : JSON.parse(body))

describe.skipIf(recordedTraffic.isAbsent)(`The recorded traffic of the providers${recordedTraffic.absence}`, () => {
  const all = (recordedTraffic.isAbsent ? [] : recordings()).map((recording) => ({
    ...recording,
    calls: recording.exchanges.flatMap((exchange) => {
      const call = callOf(recording.provider, exchange)
      return call === undefined ? [] : [{ exchange, call }]
    })
  }))

  it("is of operations that the service has, but for the listed recordings", () => {
    assert.sameMembers(all.filter(({ calls }) => calls.length === 0).map(({ file }) => file), unsupported)
  })

  layer(Connected.layer, { excludeTestServices: true })((it) => {
    for (const { calls, file, provider } of all.filter(({ calls }) => calls.length > 0)) {
      it.effect(`in ${file} is requested the same way and answered unchanged`, () =>
        Effect.gen(function*() {
          const server = yield* TestServer
          const upstream = yield* LoopbackUpstream
          const { connection, readWrite } = yield* Connected
          const connection_id = yield* connection(provider.id, "oauth")
          for (const { call, exchange } of calls) {
            const { status, text } = exchange
            upstream.handle(() => ({ status, body: text }))
            const answer = yield* server.call(readWrite, { provider: provider.id, connection_id, ...call })
            if (status === 400 && upstream.requests.length === 0) {
              assert.strictEqual(errorIn(answer).code, "invalid_input")
              continue
            }
            assert.deepStrictEqual(upstream.requests.map(sentRequest), [recordedRequest(exchange)])
            assert.strictEqual(answer.status, status, answer.text)
            if (status === 200) {
              assert.isTrue(answer.text.endsWith(`,"data":${text}}`), answer.text)
            } else {
              assertError(answer, status, "upstream_error", JSON.parse(text))
            }
          }
        }))
    }
  })
})
