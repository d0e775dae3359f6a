import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as net from "node:net"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Answer, expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { notJson, wrong } from "./InvalidBodies.ts"
import {
  assertError,
  clearRange,
  held,
  issuePaths,
  logged,
  loggedCall,
  memberWith,
  requestLine,
  site,
  sitesGet,
  sitesList,
  withoutIds
} from "./World.ts"

const TestLayer = TestServer.make({ CALL_PRICE_USD: "0.0025" })

const noSites: Handler = () => ({ body: { siteEntry: [] } })

/** What the connection of the request was allowed to do at the provider tells which connection it was. */
const whichConnection: Handler = ({ headers }) => ({ body: { used: headers.authorization } })

layer(TestLayer, { excludeTestServices: true })("POST /v1/call", (it) => {
  it.effect("returns the provider's body with what the call was and cost, and the log has the same", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { client, connection, readOnly } = yield* seed()
      upstream.handle(noSites)
      const answer = yield* server.call(readOnly, sitesList)
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      assert.deepStrictEqual(Object.keys(answer.json), [
        "call_id",
        "connection_id",
        "cached",
        "cost_usd",
        "latency_ms",
        "data"
      ])
      const { call_id, data, latency_ms, ...rest } = answer.json
      assert.strictEqual(answer.headers.get("x-call-id"), call_id)
      assert.deepStrictEqual(data, { siteEntry: [] })
      assert.deepStrictEqual(rest, { connection_id: connection.id, cached: false, cost_usd: 0.0025 })
      assert.match(String(latency_ms), /^\d+(?:\.\d{1,3})?$/)

      const { created_at, key_id, request, response, ...call } = yield* loggedCall(readOnly, call_id)
      assert.deepStrictEqual(call, {
        id: call_id,
        provider: "gsc",
        target: "raw:sites.list",
        outcome: "ok",
        http_status: 200,
        error_code: null,
        latency_ms,
        cost_usd: 0.0025,
        cached: false,
        connection_id: connection.id,
        client_id: client.id
      })
      assert.match(key_id, /^key_/)
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(request, sitesList)
      assert.deepStrictEqual(response, answer.json)
    }))

  it.effect("sends what was asked, with the connection's token and nothing of the caller's", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { name, readOnly } = yield* seed()
      upstream.handle(noSites)
      yield* server.request("POST", "/v1/call", {
        key: readOnly,
        body: { ...sitesGet, input: { ...sitesGet.input, query: { fields: "siteUrl" } } },
        headers: {
          cookie: "a=b",
          "x-forwarded-for": "10.0.0.1",
          traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        }
      })
      assert.strictEqual(upstream.requests.length, 1)
      const { headers, method, url } = upstream.requests[0] ?? assert.fail()
      assert.strictEqual(method, "GET")
      assert.strictEqual(url, `/gsc/webmasters/v3/sites/${encodeURIComponent(site)}?fields=siteUrl`)
      assert.strictEqual(headers.authorization, `Bearer ya29.access-${name}-0123456789`)
      for (const mine of ["cookie", "x-forwarded-for", "traceparent", "b3"]) assert.notProperty(headers, mine)
    }))

  it.effect("hands numbers on to the last digit", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const body = "{\"a\": 12345678901234567890, \"b\": 1.0, \"c\": 1e400, \"a\": \"\\u00e9\"}"
      ;(yield* LoopbackUpstream).handle(() => ({ body, headers: { "content-type": "application/json" } }))
      const answer = yield* server.call(readOnly, sitesList)
      assert.isTrue(answer.text.endsWith(`,"data":${body}}`), answer.text)
    }))

  it.effect.each(notJson)("a body that is %s is invalid_json", ([, rawBody]) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
      assertError(answer, 400, "invalid_json")
      const call = yield* loggedCall(readOnly, answer.json.call_id)
      assert.strictEqual(typeof call.request, "string")
    }))

  it.effect.each([
    { "content-type": "" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": ";;;" }
  ])("a Content-Type of %j is tolerated", (headers) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      ;(yield* LoopbackUpstream).handle(noSites)
      const rawBody = `\ufeff${JSON.stringify(sitesList)}`
      const answer = yield* server.request("POST", "/v1/call", { key: readOnly, headers, rawBody })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual((yield* loggedCall(readOnly, answer.json.call_id)).request, sitesList)
    }))

  it.effect.each(wrong)(
    "%s is invalid_input, with every issue and where it is",
    ([rawBody, paths]) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { readOnly } = yield* seed()
        upstream.handle(noSites)
        const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
        assert.deepStrictEqual(new Set(issuePaths(answer)), new Set(paths))
        assert.strictEqual(upstream.requests.length, 0)
        assert.deepStrictEqual((yield* loggedCall(readOnly, answer.json.call_id)).request, JSON.parse(rawBody))
      })
  )

  it.effect("input may be missing or empty where nothing in it is required", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      ;(yield* LoopbackUpstream).handle(noSites)
      for (const more of [{}, { input: {} }, { input: { query: {} } }]) {
        assert.strictEqual((yield* server.call(readOnly, { ...sitesList, ...more })).status, 200)
      }
    }))

  it.effect("names from the prototype of objects are no providers, endpoints or tools", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "gsc sites.list", "\0", "💥"]) {
        assertError(yield* server.call(readOnly, { provider: name, endpoint: "x" }), 404, "provider_not_found")
        assertError(yield* server.call(readOnly, { provider: "gsc", endpoint: name }), 404, "endpoint_not_found")
        assertError(yield* server.call(readOnly, { provider: "gsc", tool: name }), 404, "tool_not_found")
      }
    }))

  it.effect("a body may be nested to any depth: it is refused, and logged", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      for (const depth of [1000, 20_000, 200_000]) {
        const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`
        const request = JSON.stringify({ ...sitesGet, input: { path: { siteUrl: 0 } } }).replace("0", deep)
        for (const rawBody of [deep, request]) {
          const answer = yield* server.request("POST", "/v1/call", { key: readOnly, rawBody })
          assertError(answer, 400, "invalid_json")
          const call = yield* logged(readOnly, answer.json.call_id)
          assert.strictEqual(call.status, 200)
          assert.include(call.text, "[[[[[")
        }
      }
    }))

  it.effect("an answer may be nested to any depth: it is handed on, and logged", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const body = `{"token":"x","deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
      ;(yield* LoopbackUpstream).handle(() => ({ body, headers: { "content-type": "application/json" } }))
      const answer = yield* server.call(readOnly, sitesList)
      assert.include(answer.text, body)
      const call = yield* logged(readOnly, answer.json.call_id)
      assert.strictEqual(call.status, 200)
      assert.include(call.text, "[[[[[")
      assert.notInclude(call.text, "token\\\":\\\"x")
    }))

  it.effect("the one active connection that the key can see is used", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(whichConnection)
      const { connect, connection, name, readOnly } = yield* seed()
      yield* seed()
      yield* server.admin("POST", "/connections", {
        provider: "gsc",
        auth_type: "oauth",
        credentials: { refresh_token: "1//of-nobody-0123456789", access_token: "ya29.of-nobody-0123456789" },
        label: "of no client"
      })
      const revoked = yield* connect()
      yield* server.admin("DELETE", `/connections/${revoked.id}`)
      const { json } = yield* server.call(readOnly, sitesList)
      assert.strictEqual(json.connection_id, connection.id)
      assert.deepStrictEqual(json.data, { used: `Bearer ya29.access-${name}-0123456789` })
    }))

  it.effect("a key without limits sees the connections of all clients and of none", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(noSites)
      const { connection } = yield* seed({ provider: "gdocs" })
      const ofNobody = yield* server.admin("POST", "/connections", {
        provider: "gdocs",
        auth_type: "oauth",
        credentials: { refresh_token: "1//of-nobody-0123456789", access_token: "ya29.of-nobody-0123456789" },
        label: "of no client"
      })
      const { key } = yield* memberWith(null)
      const document = { provider: "gdocs", endpoint: "documents.get", input: { path: { documentId: "a".repeat(44) } } }
      const ids = [ofNobody.id, connection.id]
      assertError(yield* server.call(key, document), 400, "connection_ambiguous", { connection_ids: ids })
      for (const connection_id of ids) {
        const { json } = yield* server.call(key, { ...document, connection_id })
        assert.strictEqual(json.connection_id, connection_id)
      }
    }))

  it.effect("what cannot be seen is answered like what does not exist, byte for byte", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, readOnly } = yield* seed()
      const elsewhere = yield* seed()
      const ofNobody = yield* connect({ client_id: null })
      const ofAnotherProvider = yield* connect({ provider: "ga4" })
      const revokedElsewhere = yield* elsewhere.connect()
      upstream.handle(() => ({ body: {} }))
      yield* server.admin("DELETE", `/connections/${revokedElsewhere.id}`)
      upstream.handle(noSites)
      const named = (connection_id: string) => server.call(readOnly, { ...sitesList, connection_id })
      const unknown = yield* named("con_00000000000000000000000000")
      assertError(unknown, 404, "connection_not_found")
      const others = [
        "x",
        "",
        "con_",
        elsewhere.connection.id.toUpperCase(),
        elsewhere.connection.id,
        revokedElsewhere.id,
        ofNobody.id,
        ofAnotherProvider.id
      ]
      for (const id of others) {
        const answer: Answer = yield* named(id)
        assert.deepStrictEqual(withoutIds(answer), withoutIds(unknown), id)
        assert.strictEqual((yield* loggedCall(readOnly, answer.json.call_id)).connection_id, null)
      }
      assert.strictEqual(upstream.requests.length, 0)
    }))

  it.effect("last_used_at moves with use", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(noSites)
      const { readOnly } = yield* seed()
      const connection = Effect.map(
        server.request("GET", "/v1/connections", { key: readOnly }),
        ({ json }) => json.connections[0]
      )
      assert.isNull((yield* connection).last_used_at)
      yield* server.call(readOnly, sitesList)
      assert.match((yield* connection).last_used_at, /^\d{4}-.*Z$/)
    }))

  it.effect("a read-only key cannot write, a read-write key can; a failed call costs nothing", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly, readWrite } = yield* seed({ provider: "gsheets" })
      upstream.handle(() => ({ body: { clearedRange: "A1:B2" } }))
      const refused = yield* server.call(readOnly, clearRange)
      assertError(refused, 403, "read_only")
      assert.strictEqual((yield* loggedCall(readOnly, refused.json.call_id)).cost_usd, 0)
      assert.strictEqual(upstream.requests.length, 0)
      const { json } = yield* server.call(readWrite, clearRange)
      assert.deepStrictEqual([json.data, json.cost_usd], [{ clearedRange: "A1:B2" }, 0.0025])
      assert.strictEqual(upstream.requests.length, 1)
    }))

  it.effect.each([
    { failure: "503", reply: () => ({ status: 503, body: {} }), reads: 3 },
    {
      failure: "429 with a short Retry-After",
      reply: () => ({ status: 429, headers: { "retry-after": "0" }, body: {} }),
      reads: 3
    },
    {
      failure: "429 with a long Retry-After",
      reply: () => ({ status: 429, headers: { "retry-after": "60" }, body: {} }),
      reads: 1
    },
    { failure: "500", reply: () => ({ status: 500, body: {} }), reads: 1 }
  ])("after a $failure a read is sent $reads time(s), a write once", ({ reads, reply }) =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, readWrite } = yield* seed()
      yield* connect({ provider: "gsheets" })
      upstream.handle(reply)
      yield* server.call(readWrite, sitesList)
      assert.strictEqual(upstream.requests.length, reads)
      upstream.handle(reply)
      assertError(yield* server.call(readWrite, clearRange), reply().status, "upstream_error", {})
      assert.strictEqual(upstream.requests.length, 1)
    }))

  it.effect("a write that the provider refused for its token is sent again with a new one", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readWrite } = yield* seed({ provider: "gsheets" })
      upstream.handle(({ headers, url }) => {
        if (url === "/googleToken") return { body: { access_token: "ya29.renewed-0123456789", expires_in: 3599 } }
        return headers.authorization === "Bearer ya29.renewed-0123456789" ? { body: {} } : { status: 401, body: {} }
      })
      assert.strictEqual((yield* server.call(readWrite, clearRange)).status, 200)
      assert.deepStrictEqual(upstream.requests.map(({ url }) => url.split("?")[0]?.split("/")[1]), [
        "gsheets",
        "googleToken",
        "gsheets"
      ])
    }))

  it.effect("fifty calls at once on an expired token make one token request", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* seed({ credentials: expiredGrant("fifty") })
      upstream.handle(({ url }) =>
        url === "/googleToken"
          ? { body: { access_token: "ya29.renewed-0123456789", expires_in: 3599 } }
          : { body: {} }
      )
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => server.call(readOnly, sitesList)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.strictEqual(new Set(answers.map(({ json }) => json.call_id)).size, 50)
      assert.strictEqual(upstream.requests.filter(({ url }) => url === "/googleToken").length, 1)
      const { json } = yield* server.request("GET", "/v1/logs?limit=200", { key: readOnly })
      assert.sameMembers(
        json.calls.map(({ id }: { readonly id: string }) => id),
        answers.map(({ json }) => json.call_id)
      )
    }))

  it.effect("a caller that goes away leaves a logged call", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { readOnly } = yield* seed()
      const { arrived, holding, letGo } = yield* held(noSites)
      upstream.handle(holding)
      const { hostname, port } = new URL(server.url)
      const socket = net.connect(Number(port), hostname)
      const body = JSON.stringify(sitesList)
      socket.write(
        requestLine("POST", "/v1/call", {
          authorization: `Bearer ${readOnly}`,
          "content-length": `${body.length}`
        }) + body
      )
      yield* arrived
      yield* Effect.callback<void>((resume) => {
        socket.on("close", () => resume(Effect.void)).on("error", () => {}).resetAndDestroy()
      })
      yield* letGo
      const { calls } = yield* server.request("GET", "/v1/logs", { key: readOnly }).pipe(
        Effect.map(({ json }) => json),
        Effect.repeat({ until: ({ calls }) => calls.length > 0 })
      )
      assert.strictEqual(calls.length, 1)
      assert.strictEqual(calls[0].outcome, "ok")
    }))
})
