import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { clearRange, deadTokens, logged, sitesList } from "../Http/Fixture.ts"
import { assertError, errorIn, issuePaths } from "../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const google: Handler = ({ url }) => {
  if (url.includes("searchAnalytics")) return { body: { rows: [{ keys: ["shoes"], clicks: 3, impressions: 40 }] } }
  return url.includes(":clear") ? { body: { clearedRange: "A1:B2" } } : { body: { siteEntry: [] } }
}

const refusals: ReadonlyArray<readonly [status: number, code: string, body: unknown]> = [
  [404, "provider_not_found", { ...sitesList, provider: "gsx" }],
  [404, "endpoint_not_found", { ...sitesList, endpoint: "sites.drop" }],
  [404, "tool_not_found", { provider: "gsc", tool: "gsc_all" }],
  [404, "connection_not_found", { provider: "ga4", endpoint: "accountSummaries.list" }],
  [404, "connection_not_found", { ...sitesList, connection_id: "con_0" }],
  [403, "read_only", clearRange]
]

/** What the service promises with any features, or with none. */
export const specification = <R>(it: Vitest.MethodsNonLive<R | TestServer | LoopbackUpstream>) =>
  it.effect("keeps the promises of the specification", () =>
    Effect.gen(function*() {
      const { admin, call, request } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, connection, readOnly, readWrite } = yield* seed()
      const sheets = yield* connect({ provider: "gsheets" })
      upstream.handle(google)

      const raw = yield* call(readOnly, { ...sitesList, max_age: 60 })
      assert.deepInclude(raw.json, { connection_id: connection.id, cached: false, data: { siteEntry: [] } })
      const again = yield* call(readOnly, { ...sitesList, max_age: 60 })
      assert.nestedPropertyVal(again.json, "cached", true)
      const input = { site: "https://acme.example/" }
      const tool = yield* call(readOnly, { provider: "gsc", tool: "gsc_top_queries", input })
      assert.nestedPropertyVal(tool.json, "data.rows[0].query", "shoes")
      const written = yield* call(readWrite, { ...clearRange, connection_id: sheets.id })
      assert.nestedPropertyVal(written.json, "data.clearedRange", "A1:B2")

      assertError(yield* call(undefined, sitesList), 401, "unauthenticated")
      const notJson = yield* request("POST", "/v1/call", { key: readOnly, rawBody: "{" })
      assertError(notJson, 400, "invalid_json")
      const sent = upstream.requests.length
      const invalid = { ...sitesList, endpoint: "sites.get", input: { path: { siteUrl: 1 } } }
      assert.deepStrictEqual(issuePaths(yield* call(readOnly, invalid)), ["input.path.siteUrl"])
      for (const [status, code, body] of refusals) assertError(yield* call(readOnly, body), status, code)
      assert.lengthOf(upstream.requests, sent)

      const other = yield* connect()
      const ambiguous = yield* call(readOnly, sitesList)
      assert.strictEqual(errorIn(ambiguous).code, "connection_ambiguous")
      for (const { id } of [connection, other]) assert.include(ambiguous.text, `"${id}"`)
      upstream.handle(() => ({ status: 418, body: { error: { message: "short and stout" } } }))
      const teapot = yield* call(readOnly, { ...sitesList, connection_id: other.id })
      assertError(teapot, 418, "upstream_error", { error: { message: "short and stout" } })
      upstream.handle(deadTokens)
      const dead = { ...sitesList, connection_id: other.id }
      assertError(yield* call(readOnly, dead), 401, "credentials_expired")
      assertError(yield* call(readOnly, dead), 409, "connection_inactive")

      const listed = yield* request("GET", "/v1/connections", { key: readOnly })
      assert.notInclude(listed.text, "ya29.")
      const providers = yield* request("GET", "/v1/providers/gsc", { key: readOnly })
      assert.include(providers.text, "input_schema")
      const log = yield* request("GET", "/v1/logs?outcome=error&limit=2", { key: readOnly })
      assert.nestedPropertyVal(log.json, "calls.length", 2)
      const entry = yield* logged(readOnly, raw.callId)
      assert.deepInclude(entry.json, { id: raw.callId, provider: "gsc", target: "raw:sites.list", outcome: "ok" })
      assert.notInclude(entry.text, readOnly)
      assert.isObject((yield* admin.status.read()).features)
    }))
