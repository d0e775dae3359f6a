import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { errorCases, googleError, maxRequestBytes, replyWith } from "../Http/ErrorCases.ts"
import {
  assertNotLogged,
  clearRange,
  connectionChoice,
  firstLoggedCall,
  loggedCall,
  memberWith,
  sitesGet,
  sitesList
} from "../Http/Fixture.ts"
import { assertError } from "../support/Answer.ts"
import { holdReplies, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { callTool, listTools, overMcp, pluck, rpc } from "./McpFixture.ts"

const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }

const modern = {
  headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {}
    }
  }
}

const names = (key: string) => Effect.map(listTools(key), ({ tools }) => tools.map(({ name }) => name))

const remaining = (answer: { readonly headers: Headers }) => answer.headers.get("ratelimit-remaining")

const TestLayer = TestServer.make({ MAX_REQUEST_BYTES: `${maxRequestBytes}` })

layer(TestLayer, { excludeTestServices: true })("POST /mcp", (it) => {
  it.effect("wants a bearer first, and says where agents get one", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const challenge =
        `Bearer resource_metadata="${
          server.url.replace("127.0.0.1", "localhost")
        }/.well-known/oauth-protected-resource/mcp", ` +
        "scope=\"read write\""
      for (
        const headers of [
          {},
          { authorization: `Bearer ${readOnly.slice(0, -1)}` },
          { authorization: `Bearer ${server.adminToken}` },
          { cookie: "openaccounts_session=oas_x" },
          { origin: "https://evil.example" }
        ]
      ) {
        const answer = yield* server.request("POST", "/mcp", { rawBody: "no JSON", headers })
        assertError(answer, 401, "unauthenticated")
        assert.strictEqual(answer.headers.get("www-authenticate"), challenge)
      }
    }))

  it.effect("refuses pages of other origins, and names that lead here by DNS", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const statusOf = (headers: Record<string, string>) => rpc(readOnly, "ping", {}, headers)
      for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
        assertError(yield* statusOf({ origin }), 403, "forbidden")
      }
      const { port } = new URL((yield* TestServer).url)
      for (const origin of [`http://localhost:${port}`, "http://127.0.0.1:5173"]) {
        assert.strictEqual((yield* statusOf({ origin })).status, 200)
      }
    }))

  it.effect("has no sessions and no other method", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
        const answer = yield* server.request(method, "/mcp", { key: readOnly })
        assertError(answer, 405, "method_not_allowed")
        assert.strictEqual(answer.headers.get("allow"), "POST")
      }
      const started = yield* rpc(readOnly, "initialize", initialize)
      assert.isNull(started.headers.get("mcp-session-id"))
      assert.match(started.headers.get("content-type") ?? "", /^application\/json/)
      const done = yield* server.request("POST", "/mcp", {
        key: readOnly,
        body: { jsonrpc: "2.0", method: "notifications/initialized" }
      })
      assert.deepStrictEqual([done.status, done.text], [202, ""])
    }))

  it.effect("answers what is no message as the protocol does, with the error of the API", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      const send = (rawBody: string) => server.request("POST", "/mcp", { key: readOnly, rawBody })
      const invalid = yield* send("{\"jsonrpc\":")
      assert.strictEqual(invalid.status, 400)
      assert.deepStrictEqual(invalid.json, {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32_700,
          message: "The request body is not JSON.",
          data: { call_id: invalid.callId, error: { code: "invalid_json", message: "The request body is not JSON." } }
        }
      })
      const deep = yield* send("[".repeat(100) + "]".repeat(100))
      assert.deepInclude(deep.json, { id: null })
      assert.include(deep.text, "-32600")
      assertError(yield* send(`"${"x".repeat(maxRequestBytes)}"`), 413, "payload_too_large")
    }))

  it.effect("serves the newest revision without a handshake, and checks its headers", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const { headers, params } = modern
      const listed = yield* rpc(readOnly, "tools/list", params, headers)
      assert.strictEqual(listed.status, 200)
      assert.deepInclude(JSON.parse(listed.text).result, { ttlMs: 60_000, cacheScope: "private" })
      const mismatched = yield* rpc(readOnly, "tools/list", params, { ...headers, "mcp-method": "tools/call" })
      assert.strictEqual(mismatched.status, 400)
      assert.strictEqual(JSON.parse(mismatched.text).error.code, -32_020)
      const discovered = yield* rpc(readOnly, "server/discover", params, {
        ...headers,
        "mcp-method": "server/discover"
      })
      const { capabilities, instructions, supportedVersions } = JSON.parse(discovered.text).result
      assert.deepStrictEqual([supportedVersions, capabilities], [["2026-07-28"], { tools: {} }])
      assert.include(instructions, "only reads")
    }))

  it.effect("gives each call of a batch its own call id", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [{ digits: 1 }] } }))
      const server = yield* TestServer
      const { readOnly, reader } = yield* seed()
      const params = { name: "call_read_endpoint", arguments: sitesList }
      const { json } = yield* server.request("POST", "/mcp", {
        key: readOnly,
        headers: { "mcp-protocol-version": "2025-03-26" },
        body: [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }))
      })
      const ids = pluck(json, "result.structuredContent.call_id")
      assert.strictEqual(new Set(ids).size, 2)
      const { calls } = yield* reader.logs.list({ query: {} })
      assert.sameMembers(calls.map(({ id }) => id), ids)
    }))

  it.effect("lists tools by rights and by visible connections", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { connect, connection, readOnly, readWrite } = yield* seed()
      const general = ["list_connections", "describe_endpoint", "call_read_endpoint"]
      assert.deepStrictEqual(yield* names(readOnly), [...general, "gsc_top_queries", "gsc_quick_wins"])
      yield* connect({ provider: "gsheets" })
      assert.includeMembers(yield* names(readWrite), ["call_write_endpoint", "sheets_read", "sheets_append_rows"])
      assert.deepStrictEqual(
        [...yield* names(readOnly)].slice(general.length),
        ["gsc_top_queries", "gsc_quick_wins", "sheets_read", "sheets_list_tabs"]
      )
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      yield* admin.managedConnections.revoke({ params: { id: connection.id } })
      assert.notInclude(yield* names(readOnly), "gsc_top_queries")
      const { value } = yield* callTool(readOnly, "list_connections")
      assert.deepStrictEqual(pluck(value.connections, "provider"), ["gsheets"])

      const nothing = yield* memberWith([])
      const { tools } = yield* listTools(nothing.readOnly)
      assert.deepStrictEqual(tools.map(({ name }) => name), general)
      assert.isNotEmpty(tools[0]?.inputSchema["properties"].provider.enum)
    }))

  it.effect("shows an agent the connections of its grant alone, with the rights of the grant", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [] } }))
      const { connect, connection, member } = yield* seed()
      const hidden = yield* connect({ provider: "gsheets" })
      const { grant, token } = yield* newGrant({ memberId: member.id, connectionIds: [connection.id] })
      const { value } = yield* callTool(token, "list_connections")
      assert.deepStrictEqual(pluck(value.connections, "id"), [connection.id])
      assert.notInclude(yield* names(token), "sheets_read")

      const { answer, isError } = yield* callTool(token, "call_read_endpoint", sitesList)
      assert.isFalse(isError)
      const logged = yield* loggedCall(token, answer.callId)
      assert.containSubset(logged, { via: "grant", grant_id: grant.id, connection_id: connection.id })

      const named = yield* callTool(token, "sheets_read", { spreadsheet: "x", connection_id: hidden.id })
      assert.strictEqual(named.value.error.code, "connection_not_found")
      const written = yield* callTool(token, "call_write_endpoint", { ...clearRange, connection_id: hidden.id })
      assert.strictEqual(written.value.error.code, "read_only")
    }))

  it.effect("returns the call response in both forms, and logs the call as any other", () =>
    Effect.gen(function*() {
      const body = "{\n  \"siteEntry\": [ { \"siteUrl\": \"a  b\", \"big\": 12345678901234567890.10 } ]\n}"
      ;(yield* LoopbackUpstream).handle(() => ({ body, headers: { "content-type": "application/json" } }))
      const { connection, readOnly } = yield* seed()
      const call = { ...sitesList, connection_id: connection.id, max_age: 60 }
      const { answer, text, value } = yield* callTool(readOnly, "call_read_endpoint", call)
      assert.strictEqual(value.call_id, answer.callId)
      assert.deepInclude(value, { connection_id: connection.id, cached: false, cost_usd: 0 })
      assert.include(text, "\"data\":{\"siteEntry\":[{\"siteUrl\":\"a  b\",\"big\":12345678901234567890.10}]}")
      assert.include(answer.text, "\"structuredContent\":" + text)
      const logged = yield* loggedCall(readOnly, answer.callId)
      assert.deepInclude(logged, { target: "raw:sites.list", via: "key", http_status: 200, request: call })
      assert.isTrue((yield* callTool(readOnly, "call_read_endpoint", call)).value.cached)
    }))

  it.effect("refuses a read-only key what writes, whatever the tool", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed({ provider: "gsheets" })
      const append = { spreadsheet: "x", rows: [["a"]] }
      for (
        const [name, args] of [
          ["sheets_append_rows", append],
          ["call_write_endpoint", clearRange],
          ["call_write_endpoint", { provider: "gsheets", endpoint: "spreadsheets.get" }]
        ] as const
      ) {
        const { answer, isError, value } = yield* callTool(readOnly, name, args)
        assert.isTrue(isError)
        assert.strictEqual(value.error.code, "read_only")
        assert.strictEqual((yield* loggedCall(readOnly, answer.callId)).error_code, "read_only")
      }
      const { value } = yield* callTool(readOnly, "call_read_endpoint", clearRange)
      assert.deepInclude(value.error, { code: "invalid_input" })
      assert.include(JSON.stringify(value.error.details), "call_write_endpoint")
    }))

  it.effect("answers an unknown tool with a protocol error", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const answer = yield* rpc(readOnly, "tools/call", { name: "gsc_top_query", arguments: {} })
      const { code, data, message } = JSON.parse(answer.text).error
      assert.strictEqual(code, -32_602)
      assert.include(message, "gsc_top_queries")
      assert.deepStrictEqual(data, { call_id: answer.callId, error: { code: "tool_not_found", message } })
      yield* assertNotLogged(readOnly, answer.callId)
    }))

  it.effect("tells a tool and an endpoint apart", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const both = yield* callTool(readOnly, "call_read_endpoint", { provider: "gsc", tool: "gsc_top_queries" })
      assert.deepStrictEqual(pluck(both.value["error"].details, "path"), [["endpoint"]])
      const none = yield* callTool(readOnly, "call_read_endpoint", { provider: "gsc" })
      assert.include(none.value["error"].message, "sites.get")
      const named = yield* callTool(readOnly, "call_read_endpoint", { provider: "gsc", endpoint: "gsc_top_queries" })
      assert.strictEqual(named.value.error.code, "endpoint_not_found")
    }))

  it.effect.each(errorCases.filter(({ code }) => !["invalid_json", "payload_too_large"].includes(code)))(
    "fails like POST /v1/call: $code when $when",
    ({ code, provoke, status }) =>
      Effect.gen(function*() {
        const rest = yield* provoke(yield* seed())
        const seeded = yield* seed()
        if (code === "tool_not_found") {
          const { text } = yield* rpc(seeded.readOnly, "tools/call", { name: "sites.list", arguments: {} })
          assert.strictEqual(JSON.parse(text).error.data.error.code, code)
          return
        }
        const mcp = yield* Effect.provideServiceEffect(provoke(seeded), TestServer, overMcp)
        assert.strictEqual(rest.status, status)
        assert.strictEqual(mcp.text, rest.text.replace(rest.callId, mcp.callId))
        assert.strictEqual((yield* loggedCall(seeded.readOnly, mcp.callId)).http_status, status)
      })
  )

  it.effect("fails like POST /v1/call: connection_ambiguous with the connections to choose from", () =>
    Effect.gen(function*() {
      const { connect, connection, readOnly } = yield* seed()
      const second = yield* connect()
      const { value } = yield* callTool(readOnly, "gsc_top_queries", { site: "example.com" })
      assert.deepInclude(value.error, {
        code: "connection_ambiguous",
        details: {
          connection_ids: [second.id, connection.id],
          connections: [second, connection].map(connectionChoice)
        }
      })
    }))

  it.effect("cuts a long result in both forms, and says how to ask for less", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 5000 }, (_, index) => ({ keys: [`query ${index}`], clicks: index }))
      ;(yield* LoopbackUpstream).handle(() => ({ body: { rows, responseAggregationType: "byProperty" } }))
      const { readOnly } = yield* seed()
      const { answer, text, value } = yield* callTool(readOnly, "call_read_endpoint", {
        provider: "gsc",
        endpoint: "searchanalytics.query",
        input: {
          path: { siteUrl: "sc-domain:example.com" },
          body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] }
        }
      })
      assert.isAtMost(text.length, 60_000)
      assert.isAbove(text.length, 55_000)
      assert.strictEqual(value.call_id, answer.callId)
      assert.deepStrictEqual(value.data.rows, rows.slice(0, value.data.rows.length))
      assert.strictEqual(value.data.responseAggregationType, "byProperty")
      assert.isAbove(value.truncated.characters, 60_000)
      assert.include(value.truncated.note, "`rowLimit`")
      assert.include(value.truncated.note, "`startRow`")
      ;(yield* LoopbackUpstream).handle(replyWith(400, { error: { message: "x".repeat(100_000) } }))
      const failed = yield* callTool(readOnly, "call_read_endpoint", sitesList)
      assert.isTrue(failed.isError)
      assert.isAtMost(failed.text.length, 60_000)
      assert.strictEqual(failed.value.error.code, "upstream_error")
      assert.match(failed.value.error.details.error.message, /^x+…$/)
    }))

  it.effect("repeats a write with a key no more than POST /v1/call", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { clearedRange: "A1:B2" } }))
      const { readWrite } = yield* seed({ provider: "gsheets" })
      const write = (key: unknown, args: object = clearRange) =>
        callTool(readWrite, "call_write_endpoint", args, { "openaccounts/idempotency-key": key })
      const first = yield* write("k")
      const again = yield* write("k")
      assert.deepStrictEqual(again.value, first.value)
      assert.strictEqual(again.answer.callId, first.answer.callId)
      assert.deepStrictEqual(again.meta, { "openaccounts/idempotency-replayed": true })
      assert.lengthOf(upstream.requests, 1)
      const other = yield* write("k", { ...clearRange, input: { path: { ...clearRange.input.path, range: "C1" } } })
      assert.strictEqual(other.value.error.code, "idempotency_key_reused")
      for (const key of ["", "a b", 5]) {
        const { value } = yield* write(key)
        assert.deepStrictEqual(value.error.details[0].path, ["headers", "idempotency-key"])
      }
    }))

  it.effect("passes on when a refused caller may try again", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(
        replyWith(429, googleError(429, "X", "dailyLimitExceeded"), { "retry-after": "30" })
      )
      const { readOnly } = yield* seed()
      const { meta, value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
      assert.strictEqual(value.error.code, "upstream_error")
      assert.deepStrictEqual(meta, { "openaccounts/retry-after": "30" })
    }))

  it.effect("stops a read when its caller disconnects, and logs it", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { arrived, holding } = yield* holdReplies(() => ({ body: {} }))
      ;(yield* LoopbackUpstream).handle(holding)
      const { readOnly } = yield* seed()
      const client = new AbortController()
      void fetch(`${server.url}/mcp`, {
        method: "POST",
        signal: client.signal,
        headers: { authorization: `Bearer ${readOnly}` },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "call_read_endpoint", arguments: sitesList }
        })
      }).catch(() => {})
      yield* arrived
      client.abort()
      assert.strictEqual((yield* firstLoggedCall(readOnly)).error_code, "caller_disconnected")
    }))

  it.effect("describes an endpoint, a large one in parts", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const describe = (args: object) => callTool(readOnly, "describe_endpoint", args)
      const small = yield* describe({ provider: "gsc", endpoint: "sites.get" })
      assert.deepInclude(small.value, { writes: false, call_with: "call_read_endpoint", method: "GET" })
      assert.isUndefined(small.value["parts"])
      yield* assertNotLogged(readOnly, small.answer.callId)

      const batch = { provider: "gsheets", endpoint: "spreadsheets.batchUpdate" }
      const whole = yield* describe(batch)
      assert.isAtMost(whole.text.length, 16_000)
      assert.strictEqual(whole.value["parts"].addSheet, "Adds a sheet.")
      assert.strictEqual(whole.value["call_with"], "call_write_endpoint")
      for (const part of ["addSheet", "updateCells", "CellFormat"]) {
        const { text, value } = yield* describe({ ...batch, part })
        assert.isAtMost(text.length, 16_000)
        assert.strictEqual(value["schema"].type, "object")
      }
      const { value } = yield* describe({ ...batch, part: "addsheets" })
      assert.include(JSON.stringify(value["error"].details), "addSheet")
      assert.strictEqual((yield* describe({ provider: "gs", endpoint: "x" })).value["error"].code, "provider_not_found")
      const empty = yield* describe({ ...sitesGet })
      assert.deepStrictEqual(empty.value["error"].details, [{ path: ["input"], message: "Unknown field" }])
    }))
})

layer(TestServer.make({ RATE_LIMIT: "3/hour" }), { excludeTestServices: true })("RATE_LIMIT", (it) => {
  it.effect("counts each request of an agent once, whatever it asks", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { readOnly, readWrite } = yield* seed()
      assert.strictEqual(remaining(yield* rpc(readOnly, "tools/list")), "2")
      assert.strictEqual(remaining((yield* callTool(readOnly, "call_read_endpoint", sitesList)).answer), "1")
      assert.strictEqual(remaining((yield* callTool(readOnly, "list_connections")).answer), "0")
      const refused = yield* rpc(readOnly, "tools/list")
      assertError(refused, 429, "rate_limited")
      assert.isNotNull(refused.headers.get("retry-after"))
      const { meta, value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
      assert.strictEqual(value["error"].code, "rate_limited")
      assert.isString(meta["openaccounts/retry-after"])

      const { headers, params } = modern
      const mismatched = yield* rpc(readWrite, "tools/call", { ...params, name: "call_read_endpoint" }, headers)
      assert.strictEqual(mismatched.status, 400)
      assert.strictEqual(remaining(mismatched), "2")
    }))
})
