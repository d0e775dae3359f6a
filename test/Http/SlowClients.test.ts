import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { loggedCall, overTheWire, type RawAnswer, requestLine, sitesList } from "./World.ts"

const Bounded = TestServer.make({ REQUEST_TIMEOUT: "1 second", MAX_CONNECTIONS: "50" })

const assertRefused = (answer: RawAnswer, status: number, code: string): string => {
  const { call_id, error } = JSON.parse(answer.body)
  assert.deepStrictEqual({ status: answer.status, code: error.code }, { status, code })
  assert.strictEqual(answer.headers.get("x-call-id"), call_id)
  assert.strictEqual(answer.headers.get("connection"), "close")
  return call_id
}

const serverUrl = Effect.map(TestServer, ({ url }) => new URL(url))

/** Clients that have connected, sent this, and wait; let go at the end. */
const hangingOn = Effect.fnUntraced(function*(count: number, sent: string) {
  const { hostname, port } = yield* serverUrl
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on("error", () => {}))
  yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
  yield* Effect.promise(() =>
    Promise.all(sockets.map(async (socket) => {
      await once(socket, "connect")
      if (sent !== "") await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
    }))
  )
})

layer(Bounded, { excludeTestServices: true })("A client that", (it) => {
  it.effect("is silent or slow, two hundred times, does not keep a good one waiting, whatever MAX_CONNECTIONS is", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [] } }))
      const { readOnly } = yield* seed()
      const keyed = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
      for (
        const sent of [
          "",
          "POST /v1/call HTTP/1.1\r\nhost: local",
          `${requestLine("POST", "/v1/call", { "content-length": "100" })}{`,
          `${requestLine("GET", "/v1/providers", keyed)}{`
        ]
      ) {
        yield* hangingOn(50, sent)
        assert.strictEqual((yield* server.call(readOnly, sitesList)).status, 200)
      }
    }))

  it.effect("does not end its headers or its body is told so, and finds the call in the log", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const headers = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
      const [silent, inHeaders, inBody] = yield* Effect.all(
        ["", "GET /healthz HTTP/1.1\r\nhost:", `${requestLine("POST", "/v1/call", headers)}{`].map(overTheWire),
        { concurrency: "unbounded" }
      )
      for (const answer of [silent, inHeaders]) assertRefused(answer ?? assert.fail(), 408, "request_timeout")
      const id = assertRefused(inBody ?? assert.fail(), 408, "request_timeout")
      assert.strictEqual((yield* loggedCall(readOnly, id)).error_code, "request_timeout")
    }))

  it.effect("sends longer headers than fit is told so", () =>
    Effect.gen(function*() {
      const answer = yield* overTheWire(requestLine("GET", "/healthz", { padding: "x".repeat(17_000) }))
      assertRefused(answer, 431, "headers_too_large")
    }))

  it.effect("does not speak HTTP is told so", () =>
    Effect.gen(function*() {
      assertRefused(yield* overTheWire("HELO localhost\r\n\r\n"), 400, "invalid_http")
    }))

  it.effect("garbles its body is told so, and finds the call in the log", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const headers = { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }
      const garbled = yield* overTheWire(`${requestLine("POST", "/v1/call", headers)}2\r\n{}\r\nnonsense\r\n`)
      const id = assertRefused(garbled, 400, "invalid_http")
      assert.strictEqual((yield* loggedCall(readOnly, id)).error_code, "invalid_http")
    }))

  it.effect("goes away in the middle of a body has called nothing, even if what it sent makes sense", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: {} }))
      const { readOnly } = yield* seed()
      const { hostname, port } = yield* serverUrl
      const body = JSON.stringify(sitesList)
      const headers = { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }
      const socket = connect(Number(port), hostname)
      socket.write(`${requestLine("POST", "/v1/call", headers)}${body.length.toString(16)}\r\n${body}\r\n`, () => {
        socket.destroy()
      })
      const { json } = yield* server.request("GET", "/v1/logs", { key: readOnly }).pipe(
        Effect.repeat({ until: ({ json }) => json.calls.length > 0 })
      )
      assert.strictEqual(json.calls[0].error_code, "invalid_http")
      assert.lengthOf(upstream.requests, 0)
    }))

  it.effect("would rather speak another protocol is answered in HTTP", () =>
    Effect.gen(function*() {
      const answer = yield* overTheWire(
        requestLine("GET", "/healthz", { connection: "close, upgrade", upgrade: "websocket" })
      )
      assert.deepStrictEqual([answer.status, answer.body], [200, "{\"ok\":true}"])
    }))
})
