import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type CallFilter, LoggedCall } from "../../src/Domain/Calls/Call.ts"
import { assertError, errorIn, issuePaths } from "../support/Answer.ts"
import { neverUndone } from "../support/NeverUndone.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { latency, logged, loggedCall, seededServer, sitesGet, sitesList, timestamp } from "./Fixture.ts"

const EncodedPage = Schema.Struct({ calls: Schema.Array(Schema.toEncoded(LoggedCall)), cursor: Schema.Null })

const page = Effect.fnUntraced(function*(key: string, query: CallFilter = {}) {
  const { api } = yield* TestServer
  const { calls } = yield* api(key).logs.list({ query })
  return { calls, ids: calls.map(({ id }): string => id) }
})

const makeCalls = Effect.fnUntraced(function*(key: string, bodies: ReadonlyArray<unknown>) {
  const server = yield* TestServer
  return yield* Effect.forEach(bodies, (body) => Effect.map(server.call(key, body), ({ callId }) => callId))
})

/** Of every table. Bytes are in hex. */
const storedRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`
  const texts = yield* Effect.forEach(tables, ({ name }) => sql`SELECT t::text FROM ${sql(name)} AS t`)
  return JSON.stringify(texts)
})

layer(TestServer.layer, { excludeTestServices: true })("The call log", (it) => {
  it.effect("lists calls and no other requests, newest first, with null for unknown fields", () =>
    Effect.gen(function*() {
      const { client, connection, member, readOnly, server } = yield* seededServer(() => ({ body: {} }))
      const ids = yield* makeCalls(readOnly, [
        sitesList,
        { provider: "gsc", tool: "gsc_quick_wins", input: { site: 1 } },
        { provider: "nobody", endpoint: "x" },
        { nonsense: true },
        { ...sitesList, "max-age": 1 }
      ])
      yield* server.request("GET", "/v1/connections", { key: readOnly })
      const { json } = yield* server.request("GET", "/v1/logs", { key: readOnly })
      assert.deepStrictEqual(Object.keys(Object(json)), ["calls", "cursor"])
      const { calls } = Schema.decodeUnknownSync(EncodedPage, { onExcessProperty: "error" })(json)
      const known = calls.map(({ created_at, latency_ms, ...rest }) => {
        assert.match(created_at, timestamp)
        assert.match(String(latency_ms), latency)
        return rest
      })
      const failed = {
        provider: "gsc",
        target: null,
        outcome: "error",
        http_status: 400,
        error_code: "invalid_input",
        cost_usd: 0,
        cached: false,
        connection_id: null,
        client_id: null,
        key_id: calls[0]?.key_id,
        member_id: member.id,
        grant_id: null,
        resource: null,
        via: "key",
        ...neverUndone
      }
      const differences = [
        {
          target: "raw:sites.list",
          outcome: "ok",
          http_status: 200,
          error_code: null,
          connection_id: connection.id,
          client_id: client.id
        },
        { target: "tool:gsc_quick_wins" },
        { provider: "nobody", target: "raw:x", http_status: 404, error_code: "provider_not_found" },
        { provider: null },
        { target: "raw:sites.list" }
      ]
      const expected = differences.map((each, index) => ({ id: ids[index], ...failed, ...each }))
      assert.deepStrictEqual<unknown>(known, expected.toReversed())
    }))

  it.effect("names the known query parameters that are nearest to an unknown one", () =>
    Effect.gen(function*() {
      const { readOnly: key, server } = yield* seededServer()
      const answer = yield* server.request("GET", "/v1/logs?conection_id=x", { key })
      assert.deepStrictEqual(issuePaths(answer), ["conection_id"])
      assert.include(answer.text, "the nearest are `connection_id`, ")
      for (const path of ["/v1/logs?limit=2&limit=3", "/v1/providers/gsc?kind=tools&kind=tools"]) {
        assert.include((yield* server.request("GET", path, { key })).text, "Given more than once")
      }
    }))

  it.effect("filters by everything that an entry has, and by time", () =>
    Effect.gen(function*() {
      const { admin, client, connect, connection, member, readOnly, readWrite } = yield* seededServer(() => ({
        body: {}
      }))
      const other = yield* connect()
      const [first = "", cached = "", failed = "", byOtherKey = ""] = [
        ...(yield* makeCalls(readOnly, [
          { ...sitesList, connection_id: connection.id },
          { ...sitesList, connection_id: connection.id, max_age: 600 },
          sitesGet
        ])),
        ...(yield* makeCalls(readWrite, [{ ...sitesList, connection_id: other.id }]))
      ]
      const { calls } = yield* page(readOnly)
      const entry = (id: string) => calls.find((call) => call.id === id) ?? assert.fail()
      const filters: ReadonlyArray<readonly [CallFilter, ...ReadonlyArray<string>]> = [
        [{ connection_id: connection.id }, cached, first],
        [{ client_id: client.id }, byOtherKey, cached, first],
        [{ member_id: member.id }, byOtherKey, failed, cached, first],
        [{ key_id: `${entry(byOtherKey).key_id}` }, byOtherKey],
        [{ key_id: `${entry(first).key_id}`, outcome: "ok" }, cached, first],
        [{ provider: "\0" }],
        [{ target: "raw:sites.get" }, failed],
        [{ error_code: "connection_ambiguous" }, failed],
        [{ cached: true }, cached],
        [{ cached: false, provider: "gsc" }, byOtherKey, failed, first],
        [{ since: entry(cached).created_at }, byOtherKey, failed, cached],
        [{ since: entry(cached).created_at, until: entry(failed).created_at }, cached]
      ]
      const known = new Set<string>(calls.map(({ id }) => id))
      for (const [filter, ...expected] of filters) {
        assert.deepStrictEqual((yield* page(readOnly, filter)).ids, expected, JSON.stringify(filter))
        const all = yield* admin.adminLogs.list({ query: { ...filter, limit: 200 } })
        assert.deepStrictEqual(all.calls.flatMap(({ id }) => known.has(id) ? [id] : []), expected)
      }
    }))

  it.effect("is shown to the operator without limits, and to no key that does not see the call", () =>
    Effect.gen(function*() {
      const { admin, adminToken, request } = yield* TestServer
      const [{ readOnly }, elsewhere] = [yield* seed(), yield* seed()]
      const [id = ""] = yield* makeCalls(elsewhere.readOnly, [{}])
      const [unauthenticated = ""] = yield* makeCalls("oa_wrong", [{}])
      const { calls } = yield* admin.adminLogs.list({ query: { limit: 2 } })
      assert.deepStrictEqual(calls.map((call) => [call.id, call.via]), [[unauthenticated, null], [id, "key"]])
      const detail = yield* admin.adminLogs.get({ params: { call_id: unauthenticated } })
      assert.deepInclude(detail, { http_status: 401, error_code: "unauthenticated", member_id: null, request: null })
      assert.include(JSON.stringify(detail.response), unauthenticated)
      assertError(yield* request("GET", "/admin/v1/logs/call_x", { key: adminToken }), 404, "call_not_found")
      assert.strictEqual((yield* request("GET", "/admin/v1/logs", { key: readOnly })).status, 401)

      const hidden = yield* logged(readOnly, id)
      assertError(hidden, 404, "call_not_found")
      assert.deepStrictEqual(errorIn(hidden), errorIn(yield* logged(readOnly, "call_00000000000000000000000000")))
      assert.notInclude((yield* page(readOnly)).ids, id)
    }))

  const invalid = {
    limit: ["0", "201", "-1", "1.5", "", "all", "1&limit=2"],
    cached: ["yes"],
    since: ["yesterday", "2026-02-30T00:00:61Z"],
    until: ["2026-01-01T00:00:00"],
    outcome: ["OK", ""],
    cursor: ["", "x", "%00", "call_"],
    page: ["2"]
  }
  it.effect.each(Object.entries(invalid))(
    "rejects the parameter %s with the values %j",
    ([name, values]) =>
      Effect.gen(function*() {
        const { readOnly: key, server } = yield* seededServer()
        for (const value of values) {
          assert.deepStrictEqual(issuePaths(yield* server.request("GET", `/v1/logs?${name}=${value}`, { key })), [name])
        }
      })
  )

  it.effect("has a body that is not JSON as a redacted string", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const bodies = [
        ["provider: gsc\0", "provider: gsc\0"],
        ["", ""],
        [" \n", " \n"],
        [new Uint8Array([0xef, 0xbb, 0xbf]), ""],
        ["{\"a\":", "{\"a\":"],
        ["{\"a\":1}x", "{\"a\":1}x"],
        ["{\"a\":1,}", "{\"a\":1,}"],
        [new Uint8Array([0x41, 0xff]), "A\ufffd"],
        [new Uint8Array([0x22, 0xff, 0x22]), "\"\ufffd\""],
        [new Uint8Array(Buffer.from("{\"a\":1}", "utf16le")), "{\0\"\0a\0\"\0:\x001\0}\0"],
        ["provider=gsc&endpoint=sites.list", "provider=gsc&endpoint=sites.list"],
        ["q=1&client_secret=hunter2", "q=1&client_secret=[redacted]"]
      ] as const
      for (const [rawBody, shown] of bodies) {
        const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
        assertError(answer, 400, "invalid_json")
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).request, shown)
      }
    }))

  it.effect("has no secret of a request, a response or a name, and cuts long names", () =>
    Effect.gen(function*() {
      const { readOnly, server, upstream } = yield* seededServer()
      const leak = {
        nested: [{ client_secret: "canary", note: "Bearer ya29.canary-0123456789", query: "token economics" }]
      }
      upstream.handle(() => ({ body: leak }))
      const answers = [
        yield* server.call(readOnly, sitesGet),
        yield* server.call(readOnly, { ...sitesGet, input: leak }),
        yield* server.call(readOnly, leak)
      ]
      upstream.handle(() => ({ status: 400, body: leak }))
      answers.push(yield* server.call(readOnly, sitesGet))
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 400, 400, 400])
      assert.include(answers[0]?.text, "canary")
      for (const { callId } of answers) {
        const { text } = yield* logged(readOnly, callId)
        assert.notInclude(text, "canary")
        assert.include(text, "token economics")
      }
      // Nobody who reads the database reads bodies, in the cache neither.
      const rows = yield* storedRows
      assert.include(rows, `${answers[0]?.callId}`)
      for (const encoding of ["utf8", "hex"] as const) {
        assert.notInclude(rows, Buffer.from("token economics").toString(encoding))
      }
      const endpoint = `oa_${"canary0123".repeat(4)}${"x".repeat(1000)}`
      const [id = ""] = yield* makeCalls(readOnly, [{ provider: "Bearer ya29.canary-0123456789", endpoint }])
      assert.notInclude((yield* logged(readOnly, id)).text, "canary")
      const [named] = (yield* page(readOnly)).calls
      assert.strictEqual(named?.provider, "Bearer [redacted]")
      assert.isAtMost(String(named?.target).length, 200)
    }))
})
