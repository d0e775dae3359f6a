import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { maxRequestBytes } from "../../../Http/ErrorCases.ts"
import { seededServer, sitesList } from "../../../Http/Fixture.ts"
import { assertError } from "../../../support/Answer.ts"
import { seed, TestServer } from "../../../support/TestServer.ts"
import { type McpTests, newestRevision, pluck, rpc } from "../McpFixture.ts"

const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" })

export const protocol: McpTests = (it) => {
  it.effect("requires a bearer token first, and says where agents get one", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const challenge =
        `Bearer resource_metadata="${
          server.url.replace("127.0.0.1", "localhost")
        }/.well-known/oauth-protected-resource/mcp", ` +
        "scope=\"read write\""
      const withoutKey = [
        {},
        { authorization: `Bearer ${readOnly.slice(0, -1)}` },
        { authorization: `Bearer ${server.adminToken}` },
        { cookie: "openaccounts_session=oas_x" },
        { origin: "https://evil.example" }
      ]
      for (const headers of withoutKey) {
        const answer = yield* server.request("POST", "/mcp", { rawBody: "no JSON", headers })
        assertError(answer, 401, "unauthenticated")
        assert.strictEqual(answer.headers.get("www-authenticate"), challenge)
      }
    }))

  it.effect("refuses pages of other origins", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const statusOf = (headers: Record<string, string>) => rpc(readOnly, "ping", {}, headers)
      for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
        assertError(yield* statusOf({ origin }), 403, "forbidden")
      }
      const { port } = new URL((yield* TestServer).url)
      const local = [
        `http://localhost:${port}`,
        "http://127.0.0.1:5173",
        "https://localhost",
        "http://127.8.8.8",
        "http://[::1]:6274",
        "http://inspector.localhost:6274"
      ]
      for (const origin of local) {
        assert.strictEqual((yield* statusOf({ origin })).status, 200)
      }
    }))

  it.effect("has no sessions, and accepts only POST", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
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

  it.effect("answers an invalid message with the protocol's error, which contains the API's", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
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

  it.effect("refuses long ids, and batches that are empty or long", () =>
    Effect.gen(function*() {
      const { readOnly, server } = yield* seededServer()
      const headers = { "mcp-protocol-version": "2025-03-26" }
      const send = (body: unknown) => server.request("POST", "/mcp", { key: readOnly, headers, body })
      const longest = "é".repeat(1000)
      assert.deepInclude((yield* send(ping(longest))).json, { id: longest })
      const refused = [
        ping(`${longest}é`),
        [ping(1), ping(`${longest}é`)],
        [],
        Array.from({ length: 21 }, (_, id) => ping(id))
      ]
      for (const body of refused) {
        const { json, status, text } = yield* send(body)
        assert.strictEqual(status, 400)
        assert.deepInclude(json, { id: null })
        assert.include(text, "-32600")
        assert.isBelow(text.length, 500)
      }
      const nested = yield* send(ping({ deep: "x".repeat(5000) }))
      assert.isBelow(nested.text.length, 1000)
      assert.lengthOf(pluck((yield* send(Array.from({ length: 20 }, (_, id) => ping(id)))).json, "id"), 20)
    }))

  it.effect("serves the newest revision without a handshake, and checks its headers", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const { headers, params } = newestRevision
      const listed = yield* rpc(readOnly, "tools/list", params, headers)
      assert.strictEqual(listed.status, 200)
      assert.deepInclude(JSON.parse(listed.text).result, { ttlMs: 60_000, cacheScope: "private" })
      const beyond = yield* rpc(readOnly, "tools/list", { ...params, cursor: "x" }, headers)
      assert.strictEqual(JSON.parse(beyond.text).error.code, -32_602)
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
      const { reader, readOnly, server } = yield* seededServer(() => ({ body: { siteEntry: [{ digits: 1 }] } }))
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
}
