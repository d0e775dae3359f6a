import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { errorIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { firstLoggedCall, loggedCall, sitesList } from "./Fixture.ts"
import { type RawAnswer, requestHead, sendRaw } from "./RawRequest.ts"

const Bounded = TestServer.make({ REQUEST_TIMEOUT: "1 second", MAX_CONNECTIONS: "50" })

const assertRefused = (answer: RawAnswer, status: number, code: string): string => {
  assert.deepStrictEqual({ status: answer.status, code: errorIn(answer).code }, { status, code })
  assert.strictEqual(answer.headers.get("connection"), "close")
  return answer.headers.get("x-call-id") ?? assert.fail()
}

const serverUrl = Effect.map(TestServer, ({ url }) => new URL(url))

/** Waits for the server, which accepts one connection at a time and may close that of the next test for a late one. */
const close = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once("close", () => resolve()).resume().end()
  })

const openClients = Effect.fnUntraced(function*(count: number, sent: string) {
  const { hostname, port } = yield* serverUrl
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on("error", () => {}))
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(sockets.map(close))))
  yield* Effect.promise(() =>
    Promise.all(sockets.map(async (socket) => {
      await once(socket, "connect")
      if (sent !== "") await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
    }))
  )
})

layer(Bounded, { excludeTestServices: true })("A client", (it) => {
  it.effect("that is silent or slow does not delay others, even in numbers beyond MAX_CONNECTIONS", () =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry: [] } }))
      const { reader, readOnly } = yield* seed()
      const keyed = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
      for (
        const sent of [
          "",
          "POST /v1/call HTTP/1.1\r\nhost: local",
          `${requestHead("POST", "/v1/call", { "content-length": "100" })}{`,
          `${requestHead("GET", "/v1/providers", keyed)}{`
        ]
      ) {
        yield* openClients(50, sent)
        yield* reader.call.call({ payload: sitesList })
      }
    }))

  it.effect("that does not end its headers or its body gets request_timeout and finds the call in the log", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const headers = { authorization: `Bearer ${readOnly}`, "content-length": "100" }
      const [silent, inHeaders, inBody] = yield* Effect.all(
        ["", "GET /healthz HTTP/1.1\r\nhost:", `${requestHead("POST", "/v1/call", headers)}{`].map(sendRaw),
        { concurrency: "unbounded" }
      )
      for (const answer of [silent, inHeaders]) assertRefused(answer ?? assert.fail(), 408, "request_timeout")
      const id = assertRefused(inBody ?? assert.fail(), 408, "request_timeout")
      assert.strictEqual((yield* loggedCall(readOnly, id)).error_code, "request_timeout")
    }))

  it.effect("that sends too long headers gets headers_too_large", () =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(requestHead("GET", "/healthz", { padding: "x".repeat(17_000) }))
      assertRefused(answer, 431, "headers_too_large")
    }))

  it.effect("that does not speak HTTP gets invalid_http", () =>
    Effect.gen(function*() {
      assertRefused(yield* sendRaw("HELO localhost\r\n\r\n"), 400, "invalid_http")
    }))

  it.effect("that sends malformed chunks gets invalid_http and finds the call in the log", () =>
    Effect.gen(function*() {
      const { readOnly } = yield* seed()
      const headers = { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }
      const garbled = yield* sendRaw(`${requestHead("POST", "/v1/call", headers)}2\r\n{}\r\nnonsense\r\n`)
      const id = assertRefused(garbled, 400, "invalid_http")
      assert.strictEqual((yield* loggedCall(readOnly, id)).error_code, "invalid_http")
    }))

  it.effect("that disconnects before the end of its body calls no provider, even if what it sent is complete JSON", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: {} }))
      const { readOnly } = yield* seed()
      const { hostname, port } = yield* serverUrl
      const body = JSON.stringify(sitesList)
      const headers = { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }
      const socket = connect(Number(port), hostname)
      socket.write(`${requestHead("POST", "/v1/call", headers)}${body.length.toString(16)}\r\n${body}\r\n`, () => {
        socket.destroy()
      })
      assert.strictEqual((yield* firstLoggedCall(readOnly)).error_code, "invalid_http")
      assert.lengthOf(upstream.requests, 0)
    }))

  it.effect("that asks for a protocol upgrade is answered in HTTP", () =>
    Effect.gen(function*() {
      const answer = yield* sendRaw(
        requestHead("GET", "/healthz", { connection: "close, upgrade", upgrade: "websocket" })
      )
      assert.deepStrictEqual([answer.status, answer.text], [200, "{\"ok\":true}"])
    }))
})
