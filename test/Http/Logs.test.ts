import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type CallFilter, LoggedCall } from "../../src/Domain/Calls/Call.ts"
import type { PageRequest } from "../../src/Domain/Page.ts"
import { assertError, errorIn, issuePaths } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { neverUndone } from "../support/NeverUndone.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { latency, logged, loggedCall, sitesGet, sitesList, timestamp } from "./Fixture.ts"
import { harmless, secrets } from "./LoggedSecrets.ts"

const Leaked = Schema.Struct({
  data: Schema.Struct({ nested: Schema.Tuple([Schema.Record(Schema.String, Schema.Unknown)]) })
})

const EncodedPage = Schema.Struct({ calls: Schema.Array(Schema.toEncoded(LoggedCall)), cursor: Schema.Null })

const page = Effect.fnUntraced(function*(key: string, query: PageRequest & CallFilter = {}) {
  const { api } = yield* TestServer
  const { calls, cursor } = yield* api(key).logs.list({ query })
  return { calls, ids: calls.map(({ id }): string => id), cursor }
})

const makeCalls = Effect.fnUntraced(function*(key: string, bodies: ReadonlyArray<unknown>) {
  const server = yield* TestServer
  return yield* Effect.forEach(bodies, (body) => Effect.map(server.call(key, body), ({ callId }) => callId))
})

const newestFirst = (ids: ReadonlyArray<string>) => ids.toReversed()

layer(TestServer.layer, { excludeTestServices: true })(
  "The call log",
  (it) => {
    it.effect("lists calls newest first, with null for unknown fields", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { client, connection, member, readOnly } = yield* seed()
        const ids = yield* makeCalls(readOnly, [
          sitesList,
          { provider: "gsc", tool: "gsc_quick_wins", input: { site: 1 } },
          { provider: "nobody", endpoint: "x" },
          { nonsense: true },
          { ...sitesList, "max-age": 1 }
        ])
        const { json } = yield* server.request("GET", "/v1/logs", { key: readOnly })
        assert.deepStrictEqual(Object.keys(Object(json)), ["calls", "cursor"])
        const { calls } = Schema.decodeUnknownSync(EncodedPage, { onExcessProperty: "error" })(json)
        const ownKey = calls[0]?.key_id ?? null
        const known = calls.map(({ created_at, latency_ms, ...rest }) => {
          assert.match(created_at, timestamp)
          assert.match(String(latency_ms), latency)
          return rest
        })
        const [misspelt = "", newest = "", third = "", second = "", oldest = ""] = newestFirst(ids)
        const failed = {
          provider: null,
          target: null,
          outcome: "error" as const,
          http_status: 400,
          error_code: "invalid_input",
          cost_usd: 0,
          cached: false,
          connection_id: null,
          client_id: null,
          key_id: ownKey,
          member_id: member.id,
          grant_id: null,
          resource: null,
          via: "key" as const,
          ...neverUndone
        }
        assert.deepStrictEqual(known, [
          { id: misspelt, ...failed, provider: "gsc", target: "raw:sites.list" },
          { id: newest, ...failed },
          {
            id: third,
            ...failed,
            provider: "nobody",
            target: "raw:x",
            http_status: 404,
            error_code: "provider_not_found"
          },
          { id: second, ...failed, provider: "gsc", target: "tool:gsc_quick_wins" },
          {
            id: oldest,
            ...failed,
            provider: "gsc",
            target: "raw:sites.list",
            outcome: "ok" as const,
            http_status: 200,
            error_code: null,
            connection_id: connection.id,
            client_id: client.id
          }
        ])
      }))

    it.effect("names the known query parameters that are nearest to an unknown one", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const answer = yield* server.request("GET", "/v1/logs?conection_id=x", { key: readOnly })
        assert.deepStrictEqual(issuePaths(answer), ["conection_id"])
        assert.include(answer.text, "the nearest are `connection_id`, ")
        for (const path of ["/v1/logs?limit=2&limit=3", "/v1/providers/gsc?kind=tools&kind=tools"]) {
          assert.include((yield* server.request("GET", path, { key: readOnly })).text, "Given more than once")
        }
      }))

    it.effect("filters by everything that an entry has, and by time", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { client, connect, connection, member, readOnly, readWrite } = yield* seed()
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
        const filters: ReadonlyArray<readonly [CallFilter, ReadonlyArray<string>]> = [
          [{ connection_id: connection.id }, [cached, first]],
          [{ connection_id: other.id, key_id: `${entry(first).key_id}` }, []],
          [{ client_id: client.id }, [byOtherKey, cached, first]],
          [{ member_id: member.id }, [byOtherKey, failed, cached, first]],
          [{ key_id: `${entry(byOtherKey).key_id}` }, [byOtherKey]],
          [{ key_id: `${entry(first).key_id}`, outcome: "ok" }, [cached, first]],
          [{ grant_id: "gra_x" }, []],
          [{ provider: "GSC" }, []],
          [{ provider: "gs%" }, []],
          [{ provider: "\0" }, []],
          [{ connection_id: "x\0" }, []],
          [{ target: "raw:sites.get" }, [failed]],
          [{ error_code: "connection_ambiguous" }, [failed]],
          [{ error_code: "connection_ambiguous", outcome: "ok" }, []],
          [{ cached: true }, [cached]],
          [{ cached: false, provider: "gsc" }, [byOtherKey, failed, first]],
          [{ since: entry(cached).created_at }, [byOtherKey, failed, cached]],
          [{ since: entry(cached).created_at, until: entry(failed).created_at }, [cached]],
          [{ since: new Date(0), until: new Date(1) }, []]
        ]
        const { admin } = yield* TestServer
        for (const [filter, expected] of filters) {
          assert.deepStrictEqual((yield* page(readOnly, filter)).ids, expected, JSON.stringify(filter))
          const all = yield* admin.adminLogs.list({ query: { ...filter, limit: 200 } })
          const known = new Set<string>(calls.map(({ id }) => id))
          assert.deepStrictEqual(all.calls.flatMap(({ id }) => known.has(id) ? [id] : []), expected)
        }
        assert.strictEqual(entry(first).via, "key")
      }))

    it.effect("is shown to the operator without limits", () =>
      Effect.gen(function*() {
        const { admin, adminToken, request } = yield* TestServer
        const { readOnly } = yield* seed()
        const [id = ""] = yield* makeCalls(readOnly, [{}])
        const [unauthenticated = ""] = yield* makeCalls("oa_wrong", [{}])
        const { calls } = yield* admin.adminLogs.list({ query: { limit: 2 } })
        assert.deepStrictEqual(calls.map((call) => [call.id, call.via]), [[unauthenticated, null], [id, "key"]])
        const detail = yield* admin.adminLogs.get({ params: { call_id: unauthenticated } })
        assert.deepInclude(detail, { http_status: 401, error_code: "unauthenticated", member_id: null, request: null })
        assert.include(JSON.stringify(detail.response), unauthenticated)
        assertError(yield* request("GET", "/admin/v1/logs/call_x", { key: adminToken }), 404, "call_not_found")
        assert.strictEqual((yield* request("GET", "/admin/v1/logs", { key: readOnly })).status, 401)
      }))

    const invalidQueries: ReadonlyArray<readonly [query: string, path: string]> = [
      ["limit=0", "limit"],
      ["limit=201", "limit"],
      ["limit=-1", "limit"],
      ["limit=1.5", "limit"],
      ["limit=", "limit"],
      ["limit=all", "limit"],
      ["limit=1&limit=2", "limit"],
      ["cached=yes", "cached"],
      ["since=yesterday", "since"],
      ["since=2026-02-30T00:00:61Z", "since"],
      ["until=2026-01-01T00:00:00", "until"],
      ["outcome=OK", "outcome"],
      ["outcome=", "outcome"],
      ["cursor=", "cursor"],
      ["cursor=x", "cursor"],
      ["cursor=%00", "cursor"],
      ["cursor=call_", "cursor"],
      ["page=2", "page"]
    ]
    it.effect.each(invalidQueries)(
      "rejects the query %s with invalid_input",
      ([query, path]) =>
        Effect.gen(function*() {
          const server = yield* TestServer
          const { readOnly } = yield* seed()
          assert.deepStrictEqual(issuePaths(yield* server.request("GET", `/v1/logs?${query}`, { key: readOnly })), [
            path
          ])
        })
    )

    it.effect("answers for a call that the key cannot see as for an unknown one", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        const elsewhere = yield* seed()
        const [id = ""] = yield* makeCalls(elsewhere.readOnly, [{}])
        const hidden = yield* logged(readOnly, id)
        const unknown = yield* logged(readOnly, "call_00000000000000000000000000")
        assertError(hidden, 404, "call_not_found")
        assert.deepStrictEqual(errorIn(hidden), errorIn(unknown))
        assert.notInclude((yield* page(readOnly)).ids, id)
      }))

    it.effect("has a body that is not JSON as a redacted string", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const requestOf = Effect.fnUntraced(function*(rawBody: string | Uint8Array<ArrayBuffer>) {
          const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
          assertError(answer, 400, "invalid_json")
          return (yield* loggedCall(readOnly, answer.callId)).request
        })
        assert.strictEqual(yield* requestOf("provider: gsc\0"), "provider: gsc\0")
        assert.strictEqual(yield* requestOf(""), "")
        assert.strictEqual(yield* requestOf(new Uint8Array([0x41, 0xff])), "A\ufffd")
        assert.strictEqual(
          yield* requestOf("{\"refresh_token\": \"hunter2\", \"x\": {\"password\":[\"hunter2\"]},}"),
          "{\"refresh_token\": \"[redacted]\", \"x\": {\"password\":\"[redacted]\"},}"
        )
        assert.strictEqual(yield* requestOf("q=1&client_secret=hunter2"), "q=1&client_secret=[redacted]")
      }))

    it.effect("has no secret of a request or a response", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const leak = { nested: [{ ...secrets, ...harmless }] }
        ;(yield* LoopbackUpstream).handle(() => ({ body: leak }))
        const answers = [
          yield* server.call(readOnly, { ...sitesGet, max_age: 0 }),
          yield* server.call(readOnly, { ...sitesGet, input: leak }),
          yield* server.call(readOnly, leak)
        ]
        ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: leak }))
        answers.push(yield* server.call(readOnly, sitesGet))
        assert.deepStrictEqual(answers.map(({ status }) => status), [200, 400, 400, 400])
        assert.include(answers[0]?.text, "canary")
        for (const { callId } of answers) {
          const detail = yield* logged(readOnly, callId)
          assert.strictEqual(detail.status, 200)
          assert.notMatch(detail.text, /canary/i)
        }
        const { response } = yield* loggedCall(readOnly, answers[0]?.callId ?? "")
        const [fields] = Schema.decodeUnknownSync(Leaked)(response).data.nested
        for (const [name, value] of Object.entries(harmless)) assert.deepStrictEqual(fields[name], value)
      }))

    it.effect("has no secret of a provider or operation name, and cuts long names", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        const [id = ""] = yield* makeCalls(readOnly, [{
          provider: "Bearer ya29.canary-0123456789",
          endpoint: `oa_${"canary0123".repeat(4)}${"x".repeat(1000)}`
        }])
        const { text } = yield* logged(readOnly, id)
        assert.notMatch(text, /canary/)
        const { calls } = yield* page(readOnly)
        assert.strictEqual(calls[0]?.provider, "Bearer [redacted]")
        assert.isAtMost(String(calls[0]?.target).length, 200)
      }))

    it.effect("has calls only, no other requests", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        yield* server.request("GET", "/v1/logs?limit=0", { key: readOnly })
        yield* server.request("GET", "/v1/connections", { key: readOnly })
        assert.deepStrictEqual((yield* page(readOnly)).ids, [])
      }))
  }
)
