import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { absenceOf, readBeside } from "./Beside.ts"
import { Connected } from "./Connected.ts"
import { callOf, type Exchange, recordings, withoutNulls } from "./Recordings.ts"

/** Recordings of operations that the service does not have. */
const ofOthers = [
  "google-analytics/nango__run-pivot-report.json",
  "google-analytics/nango__properties.json",
  "google-analytics/plausible__ga4_report_imported_sources.json",
  "bing-webmaster/merj__test_get_keyword.json",
  "bing-webmaster/merj__test_get_link_counts.json",
  "bing-webmaster/merj__test_get_url_links.json",
  "bing-webmaster/merj__test_get_blocked_urls.json",
  "bing-webmaster/merj__test_query_parameter_lifecycle-order-.json",
  "bing-webmaster/ms-learn__GetLinkCounts.json"
]

/** A request, however its client spells the same thing. */
const meaning = (method: string, url: URL, sent: unknown) => ({
  method,
  path: decodeURIComponent(url.pathname),
  query: [...url.searchParams]
    .map(([name, value]) => `${name}=${/^(?:true|false)$/i.test(value) ? value.toLowerCase() : value}`)
    .toSorted(),
  body: method === "GET" ? undefined : withoutNulls(sent)
})

const meant = ({ method, sent, url }: Exchange) => meaning(method, url, sent)

/** The stand-in has each provider below a path of its own. */
const understood = ({ body, method, url }: Recorded) =>
  meaning(method, new URL(url.replace(/^\/\w+/, ""), "https://provider.invalid"), body === "" ? {} : JSON.parse(body))

const absent = absenceOf("fixtures")

describe.skipIf(absent)(`What was recorded of the providers${absent}`, () => {
  const all = (absent === "" ? recordings() : []).map((recording) => ({
    ...recording,
    calls: recording.exchanges.flatMap((exchange) => {
      const call = callOf(recording.provider, exchange)
      return call === undefined ? [] : [{ exchange, call }]
    })
  }))

  it("is replayed, or of an operation that the service does not have", () => {
    assert.sameMembers(all.filter(({ calls }) => calls.length === 0).map(({ file }) => file), ofOthers)
  })

  layer(Connected.layer, { excludeTestServices: true })((it) => {
    for (const { calls, file, provider } of all.filter(({ calls }) => calls.length > 0)) {
      it.effect(`${file}: is asked for alike, and answered unchanged`, () =>
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
              // What the provider is certain to refuse is refused before it is sent.
              assert.strictEqual(answer.json.error.code, "invalid_input")
              continue
            }
            assert.deepStrictEqual(upstream.requests.map(understood), [meant(exchange)])
            assert.strictEqual(answer.status, status, answer.text)
            if (status === 200) {
              assert.isTrue(answer.text.endsWith(`,"data":${text}}`), answer.text)
            } else {
              assert.strictEqual(answer.json.error.code, "upstream_error")
              assert.deepStrictEqual(answer.json.error.details, JSON.parse(text))
            }
          }
        }))
    }

    it.effect("has codes that prove who owns a site: the answer has them, its log has not", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { connection, readOnly } = yield* Connected
        const connection_id = yield* connection("sitesearch", "api_key")
        const recorded = readBeside("fixtures/bing-webmaster/ms-learn__GetUserSites.json")
        upstream.handle(() => ({ body: recorded }))
        const call = { provider: "sitesearch", endpoint: "GetUserSites", connection_id }
        const answer = yield* server.call(readOnly, call)
        assert.deepStrictEqual(answer.json.data, JSON.parse(recorded))
        const logged = yield* server.request("GET", `/v1/logs/${answer.json.call_id}`, { key: readOnly })
        assert.deepStrictEqual(logged.json.response.data.d, [{
          __type: "Site:#Microsoft.Bing.Webmaster.Api",
          AuthenticationCode: "[redacted]",
          DnsVerificationCode: "[redacted]",
          IsVerified: false,
          Url: "http://example.com"
        }])
      }))
  })
})
