import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { assertError, loggedCall, overTheWire, requestLine, sitesList, withoutIds } from "./World.ts"

const maxRequestBytes = 20_000
const bodyOf = (bytes: number) => JSON.stringify(sitesList).padEnd(bytes)

const TestLayer = TestServer.make({ MAX_REQUEST_BYTES: `${maxRequestBytes}` })

layer(TestLayer, { excludeTestServices: true })("Requests of any kind", (it) => {
  it.effect("exactly MAX_REQUEST_BYTES are accepted, one more is not, told beforehand or in pieces", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { readOnly } = yield* seed()
      const post = (rawBody: string) => server.request("POST", "/v1/call", { key: readOnly, rawBody })
      const chunked = (text: string) => {
        const pieces = text.match(/.{1,7000}/gs) ?? []
        return overTheWire([
          requestLine("POST", "/v1/call", { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }),
          ...pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
          "0\r\n\r\n"
        ].join(""))
      }
      assert.strictEqual((yield* post(bodyOf(maxRequestBytes))).status, 200)
      assert.strictEqual((yield* chunked(bodyOf(maxRequestBytes))).status, 200)
      assertError(yield* post(bodyOf(maxRequestBytes + 1)), 413, "payload_too_large")
      const { body, headers, status } = yield* chunked(bodyOf(maxRequestBytes + 1))
      assert.strictEqual(status, 413)
      assert.include(body, headers.get("x-call-id") ?? "no header")
    }))

  it.effect.each(
    [
      ["GET", "/", 404],
      ["GET", "/v1", 404],
      ["GET", "/v2/providers", 404],
      ["POST", "/v1/calls", 404],
      ["GET", "/v1/logs/a/b", 404],
      ["GET", "/%", 404],
      ["GET", "/v1/logs/%E0%A4%A", 404],
      ["GET", "/%00", 404],
      ["PROPFIND", "/v1/nothing", 404],
      ["GET", "*", 404],
      ["GET", "/v1/call", 405, "POST"],
      ["HEAD", "/v1/call", 405, "POST"],
      ["POST", "/v1/providers", 405, "GET, HEAD"],
      ["DELETE", "/v1/logs", 405, "GET, HEAD"],
      ["PROPFIND", "/v1/logs/x", 405, "GET, HEAD"],
      ["OPTIONS", "/v1/call", 405, "POST"],
      ["POST", "/openapi.json", 405, "GET, HEAD"],
      ["PUT", "/docs", 405, "GET, HEAD"],
      ["PUT", "/admin/v1/clients", 405, "GET, HEAD, POST"],
      ["GET", "/admin/v1/members/x", 405, "PATCH, DELETE"]
    ] as const
  )("%s %s is answered with %i, key or no key", ([method, path, status, allow]) =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      for (const headers of [{}, { authorization: `Bearer ${readOnly}` }]) {
        const answer = yield* overTheWire(requestLine(method, path, headers))
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers.get("allow") ?? undefined, allow)
        assert.match(answer.headers.get("x-call-id") ?? "", /^call_/)
        if (method === "HEAD") continue
        const { call_id, error } = JSON.parse(answer.body)
        assert.strictEqual(call_id, answer.headers.get("x-call-id"))
        assert.strictEqual(error.code, status === 404 ? "route_not_found" : "method_not_allowed")
      }
    }))

  it.effect("GET /metrics is answered as a path that does not exist, as long as METRICS_TOKEN is not set", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const unknown = withoutIds(yield* server.request("GET", "/nothing"))
      assert.strictEqual(unknown.status, 404)
      for (const key of [undefined, "a-token-of-at-least-32-characters", server.adminToken]) {
        assert.deepStrictEqual(withoutIds(yield* server.request("GET", "/metrics", { key })), unknown)
      }
    }))

  it.effect("a malformed id is an unknown one", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { readOnly } = yield* seed()
      for (
        const id of ["x", "call_", "call_\0", "CALL_00000000000000000000000000", "x".repeat(5000), "ü", "'", "a/b"]
      ) {
        const path = `/v1/logs/${encodeURIComponent(id)}`
        assertError(yield* server.request("GET", path, { key: readOnly }), 404, "call_not_found")
        const answer = yield* server.call(readOnly, { ...sitesList, connection_id: id })
        assertError(answer, 404, "connection_not_found")
        yield* loggedCall(readOnly, answer.json.call_id)
      }
    }))
})
