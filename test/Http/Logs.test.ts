import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { canaries, ordinary } from "./Canaries.ts"
import { assertError, issuePaths, logged, loggedCall, memberWith, site, sitesGet, sitesList } from "./World.ts"

const logBodyBytes = 4000

interface Entry {
  readonly id: string
  readonly [field: string]: unknown
}

const page = Effect.fnUntraced(function*(key: string, query = "") {
  const server = yield* TestServer
  const { json, status, text } = yield* server.request("GET", `/v1/logs?${query}`, { key })
  assert.strictEqual(status, 200, text)
  assert.deepStrictEqual(Object.keys(json), ["calls", "cursor"])
  const calls: ReadonlyArray<Entry> = json.calls
  const cursor: string | null = json.cursor
  return { calls, ids: calls.map(({ id }) => id), cursor }
})

/** The ids of calls that the key makes with these bodies, in order. */
const callsOf = Effect.fnUntraced(function*(key: string, bodies: ReadonlyArray<unknown>) {
  const server = yield* TestServer
  return yield* Effect.forEach(
    bodies,
    (body) => Effect.map(server.call(key, body), ({ headers }) => headers.get("x-call-id") ?? assert.fail())
  )
})

const newestFirst = (ids: ReadonlyArray<string>) => ids.toReversed()

layer(TestServer.make({ LOG_BODY_BYTES: `${logBodyBytes}` }), { excludeTestServices: true })(
  "The log",
  (it) => {
    it.effect("lists calls newest first, each with what is known of it", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { client, connection, readOnly } = yield* seed()
        const ids = yield* callsOf(readOnly, [
          sitesList,
          { provider: "gsc", tool: "gsc_quick_wins", input: { site: 1 } },
          { provider: "nobody", endpoint: "x" },
          { nonsense: true }
        ])
        const { calls, cursor } = yield* page(readOnly)
        assert.isNull(cursor)
        const ownKey = calls[0]?.key_id
        const known = calls.map(({ created_at, latency_ms, ...rest }) => {
          assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
          assert.match(String(latency_ms), /^\d+(?:\.\d{1,3})?$/)
          return rest
        })
        const [newest = "", third = "", second = "", oldest = ""] = newestFirst(ids)
        const failed = {
          provider: null,
          target: null,
          outcome: "error",
          http_status: 400,
          error_code: "invalid_input",
          cost_usd: 0,
          cached: false,
          connection_id: null,
          client_id: null,
          key_id: ownKey
        }
        assert.deepStrictEqual(known, [
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
            outcome: "ok",
            http_status: 200,
            error_code: null,
            connection_id: connection.id,
            client_id: client.id
          }
        ])
      }))

    it.effect("filters by provider, outcome and both; what is unknown is an empty list", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { readOnly } = yield* seed()
        const [ok = "", failed = "", ga4 = ""] = yield* callsOf(readOnly, [
          sitesList,
          { ...sitesList, input: { x: 1 } },
          { provider: "ga4", endpoint: "accountSummaries.list" }
        ])
        const ids = (query: string) => Effect.map(page(readOnly, query), ({ ids }) => ids)
        assert.deepStrictEqual(yield* ids("provider=gsc"), [failed, ok])
        assert.deepStrictEqual(yield* ids("outcome=ok"), [ok])
        assert.deepStrictEqual(yield* ids("outcome=error"), [ga4, failed])
        assert.deepStrictEqual(yield* ids("outcome=error&provider=gsc"), [failed])
        assert.deepStrictEqual(yield* ids("outcome=error&provider=gsc&limit=1"), [failed])
        for (const provider of ["GSC", "x", "", "%00", "%27", "gs_", "gs%25"]) {
          assert.deepStrictEqual(yield* ids(`provider=${provider}`), [])
        }
      }))

    const refused: ReadonlyArray<readonly [query: string, path: string]> = [
      ["limit=0", "limit"],
      ["limit=201", "limit"],
      ["limit=-1", "limit"],
      ["limit=1.5", "limit"],
      ["limit=", "limit"],
      ["limit=all", "limit"],
      ["limit=1&limit=2", "limit"],
      ["outcome=OK", "outcome"],
      ["outcome=", "outcome"],
      ["cursor=", "cursor"],
      ["cursor=x", "cursor"],
      ["cursor=%00", "cursor"],
      ["cursor=call_", "cursor"],
      ["page=2", "page"]
    ]
    it.effect.each(refused)("%s is invalid_input", ([query, path]) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        assert.deepStrictEqual(issuePaths(yield* server.request("GET", `/v1/logs?${query}`, { key: readOnly })), [path])
      }))

    it.effect("is walked page by page, with no call twice and none left out, while new calls arrive", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        const ids = yield* callsOf(readOnly, Array.from({ length: 7 }, () => ({})))
        const seen: Array<string> = []
        let query = "limit=3"
        for (const size of [3, 3, 1]) {
          const { cursor, ids } = yield* page(readOnly, query)
          assert.strictEqual(ids.length, size)
          assert.strictEqual(cursor === null, size === 1)
          seen.push(...ids)
          query = `limit=3&cursor=${cursor}`
          yield* callsOf(readOnly, [{}])
        }
        assert.deepStrictEqual(seen, newestFirst(ids))
      }))

    it.effect("has fifty calls on a page unless told otherwise, and no cursor after the last one", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        yield* Effect.all(Array.from({ length: 51 }, () => server.call(readOnly, {})), { concurrency: 8 })
        const first = yield* page(readOnly)
        assert.strictEqual(first.calls.length, 50)
        const rest = yield* page(readOnly, `cursor=${first.cursor}`)
        assert.deepStrictEqual([rest.calls.length, rest.cursor], [1, null])
        const exact = yield* page(readOnly, "limit=51")
        assert.deepStrictEqual([exact.calls.length, exact.cursor], [51, null])
        assert.strictEqual(new Set([...first.ids, ...rest.ids]).size, 51)
      }))

    it.effect("shows a limited member the calls of its clients' connections, and its own that got none", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const { client, connect, readOnly } = yield* seed()
        const elsewhere = yield* seed()
        const everything = yield* memberWith(null)
        const colleague = yield* memberWith([client.id])
        const nothing = yield* memberWith([])
        const ofNobody = yield* connect({ client_id: null })

        const onClient = yield* callsOf(readOnly, [sitesList])
        const withoutConnection = yield* callsOf(readOnly, [{}])
        const byColleague = yield* callsOf(colleague.key, [sitesList, {}])
        const notTheirs = [
          ...yield* callsOf(elsewhere.readOnly, [sitesList, {}]),
          ...yield* callsOf(everything.key, [{ ...sitesList, connection_id: ofNobody.id }, {}]),
          ...yield* callsOf("no key", [sitesList])
        ]
        const ofEmpty = yield* callsOf(nothing.key, [sitesList, {}])
        const all = [onClient, withoutConnection, byColleague, notTheirs, ofEmpty].flat()

        const visible = Effect.fnUntraced(function*(key: string) {
          const { ids } = yield* page(key, "limit=200")
          const found = yield* Effect.filter(all, (id) => Effect.map(logged(key, id), ({ status }) => status === 200))
          assert.deepStrictEqual(all.filter((id) => ids.includes(id)), found)
          return found
        })
        assert.deepStrictEqual(yield* visible(readOnly), [...onClient, ...withoutConnection, byColleague[0]])
        assert.deepStrictEqual(yield* visible(colleague.key), [...onClient, ...byColleague])
        assert.deepStrictEqual(yield* visible(nothing.key), ofEmpty)
        assert.deepStrictEqual(yield* visible(everything.key), all)

        yield* server.admin("PATCH", `/members/${colleague.member.id}`, { client_ids: [elsewhere.client.id] })
        assert.deepStrictEqual(yield* visible(colleague.key), [byColleague[1], notTheirs[0]])
        yield* server.admin("PATCH", `/members/${colleague.member.id}`, { client_ids: null })
        assert.deepStrictEqual(yield* visible(colleague.key), all)
      }))

    it.effect("answers for a call that cannot be seen as for one that does not exist", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        const elsewhere = yield* seed()
        const [id = ""] = yield* callsOf(elsewhere.readOnly, [{}])
        const hidden = yield* logged(readOnly, id)
        const unknown = yield* logged(readOnly, "call_00000000000000000000000000")
        assertError(hidden, 404, "call_not_found")
        assert.deepStrictEqual(hidden.json.error, unknown.json.error)
      }))

    it.effect("shows a body that is not JSON as a string, without the secrets in it", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const requestOf = Effect.fnUntraced(function*(rawBody: string | Uint8Array<ArrayBuffer>) {
          const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
          assertError(answer, 400, "invalid_json")
          return (yield* loggedCall(readOnly, answer.json.call_id)).request
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

    it.effect("keeps what is named or looks like a secret out of requests and responses", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const leak = { nested: [{ ...canaries, ...ordinary }] }
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
        for (const { json } of answers) {
          const detail = yield* logged(readOnly, json.call_id)
          assert.strictEqual(detail.status, 200)
          assert.notMatch(detail.text, /canary/i)
        }
        const { response } = yield* loggedCall(readOnly, answers[0]?.json.call_id)
        for (const [name, value] of Object.entries(ordinary)) {
          assert.deepStrictEqual(response.data.nested[0][name], value)
        }
      }))

    it.effect("keeps secrets out of the names of providers and operations, which are cut", () =>
      Effect.gen(function*() {
        const { readOnly } = yield* seed()
        const [id = ""] = yield* callsOf(readOnly, [{
          provider: "Bearer ya29.canary-0123456789",
          endpoint: `oa_${"canary0123".repeat(4)}${"x".repeat(1000)}`
        }])
        const { text } = yield* logged(readOnly, id)
        assert.notMatch(text, /canary/)
        const { calls } = yield* page(readOnly)
        assert.strictEqual(calls[0]?.provider, "Bearer [redacted]")
        assert.isAtMost(String(calls[0]?.target).length, 200)
      }))

    it.effect("keeps the beginning of a body over LOG_BODY_BYTES, without the secrets in it", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        const filler = "é".repeat(logBodyBytes)
        ;(yield* LoopbackUpstream).handle(() => ({ body: { ...canaries, filler } }))
        const filter = { dimension: "query", expression: filler }
        const body = {
          provider: "gsc",
          endpoint: "searchanalytics.query",
          input: {
            path: { siteUrl: site },
            body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensionFilterGroups: [{ filters: [filter] }] }
          }
        }
        const answer = yield* server.call(readOnly, body)
        const { request, response } = yield* loggedCall(readOnly, answer.json.call_id)
        const bytes = Buffer.byteLength(JSON.stringify(body))
        assert.deepStrictEqual({ ...request, preview: "" }, { truncated: true, bytes, preview: "" })
        assert.isTrue(JSON.stringify(body).startsWith(request.preview))
        assert.isAbove(request.preview.length, logBodyBytes / 2)
        assert.deepStrictEqual([response.truncated, response.bytes], [true, Buffer.byteLength(answer.text)])
        assert.notMatch(response.preview, /canary/i)
        assert.include(response.preview, answer.json.call_id)
      }))

    it.effect("keeps a body of exactly LOG_BODY_BYTES whole", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
        const requestOf = Effect.fnUntraced(function*(bytes: number) {
          const rawBody = JSON.stringify(sitesList).padEnd(bytes)
          const { json } = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
          return (yield* loggedCall(readOnly, json.call_id)).request
        })
        assert.deepStrictEqual(yield* requestOf(logBodyBytes), sitesList)
        assert.isTrue((yield* requestOf(logBodyBytes + 1)).truncated)
      }))

    it.effect("has only calls: neither lists nor management are logged", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readOnly } = yield* seed()
        yield* server.request("GET", "/v1/logs?limit=0", { key: readOnly })
        yield* server.request("GET", "/v1/connections", { key: readOnly })
        assert.deepStrictEqual((yield* page(readOnly)).ids, [])
      }))
  }
)
