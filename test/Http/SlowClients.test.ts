import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { ServerResponse } from "node:http"
import { assertLimited, errorIn } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { clearRange, firstLoggedCall, loggedCall, seededServer, sitesList } from "./Fixture.ts"
import { assertSecured, type RawAnswer, requestHead, sendAndDisconnect, sendRaw } from "./RawRequest.ts"

const Bounded = TestServer.make({ REQUEST_TIMEOUT: "5 seconds" })

const assertRefused = (answer: RawAnswer, status: number, code: string): string => {
  assert.deepStrictEqual({ status: answer.status, code: errorIn(answer).code }, { status, code })
  assert.strictEqual(answer.headers.get("connection"), "close")
  return answer.headers.get("x-call-id") ?? assert.fail()
}

layer(Bounded, { excludeTestServices: true })("A client", (it) => {
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

  it.effect("that sends too long headers gets headers_too_large, and one without HTTP or Host invalid_http", () =>
    Effect.gen(function*() {
      const long = yield* sendRaw(requestHead("GET", "/healthz", { padding: "x".repeat(17_000) }))
      assertRefused(long, 431, "headers_too_large")
      const other = yield* sendRaw("HELO localhost\r\n\r\n")
      assertRefused(other, 400, "invalid_http")
      const nameless = yield* sendRaw("GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n")
      assertRefused(nameless, 400, "invalid_http")
      assert.strictEqual((yield* sendRaw("GET /healthz HTTP/1.0\r\n\r\n")).status, 200)
      for (const { headers } of [long, other, nameless]) {
        assertSecured(headers)
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
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
      const { readOnly, upstream } = yield* seededServer(() => ({ body: {} }))
      const body = JSON.stringify(sitesList)
      const headers = { authorization: `Bearer ${readOnly}`, "transfer-encoding": "chunked" }
      yield* sendAndDisconnect(`${requestHead("POST", "/v1/call", headers)}${body.length.toString(16)}\r\n${body}\r\n`)
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

const Few = TestServer.make({ MAX_CALLS_IN_FLIGHT: "8" })

const silentProvider = Effect.gen(function*() {
  const due = new Set<ServerResponse>()
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => (response) => {
    due.add(response)
    response.on("close", () => due.delete(response))
  })
  const open = (count: number) => eventually(Effect.sync(() => due.size), (size) => size === count)
  const answer = Effect.sync(() => {
    for (const response of due) response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  return { answer, open, upstream }
})

/** Closes the connection when the call is interrupted. */
const fetchCall = (key: string, body: unknown) =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.forkChild(
      Effect.tryPromise((signal) =>
        fetch(`${url}/v1/call`, {
          method: "POST",
          signal,
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify(body)
        })
      ),
      { startImmediately: true }
    ))

layer(Few, { excludeTestServices: true })("A member with many slow calls", (it) => {
  it.effect("leaves room for others, waits for its own, and gets rate_limited for more", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { answer, open, upstream } = yield* silentProvider
      const [busy, other] = [yield* seed(), yield* seed()]
      const keys = [busy.readOnly, busy.readWrite]
      const calls = yield* Effect.forEach(
        Array.from({ length: 14 }),
        (_, index) => Effect.forkChild(server.call(keys[index % 2], sitesList), { startImmediately: true })
      )
      yield* open(4)
      const ended = Effect.sync(() => calls.filter((call) => call.pollUnsafe() !== undefined))
      const refused = yield* eventually(ended, (fibers) => fibers.length === 2)
      for (const answer of yield* Fiber.joinAll(refused)) {
        assert.strictEqual(assertLimited(answer, "member_share"), 5)
      }
      const theirs = yield* Effect.forkChild(server.call(other.readOnly, sitesList), { startImmediately: true })
      yield* open(5)
      assert.lengthOf(upstream.requests, 5)

      upstream.handle(() => ({ body: {} }))
      yield* answer
      const waited = calls.filter((call) => !refused.includes(call))
      for (const { status } of yield* Fiber.joinAll([...waited, theirs])) assert.strictEqual(status, 200)
    }))

  it.effect("that disconnect occupies nothing, and finds them in the log", () =>
    Effect.gen(function*() {
      const { api, call } = yield* TestServer
      const { open, upstream } = yield* silentProvider
      const { readOnly } = yield* seed()
      for (const body of [sitesList, { ...sitesList, max_age: 60 }]) {
        const calls = yield* Effect.replicateEffect(fetchCall(readOnly, body), 4)
        yield* open("max_age" in body ? 1 : 4)
        yield* Fiber.interruptAll(calls)
        yield* open(0)
        const { calls: logged } = yield* eventually(
          api(readOnly).logs.list({ query: { limit: 4 } }),
          ({ calls }) => calls.length === 4
        )
        for (const { error_code, http_status } of logged) {
          assert.deepStrictEqual([error_code, http_status], ["caller_disconnected", 499])
        }
      }
      upstream.handle(() => ({ body: {} }))
      assert.strictEqual((yield* call(readOnly, sitesList)).status, 200)
    }))

  it.effect("that disconnect during writes finishes the writes and finds them in the log", () =>
    Effect.gen(function*() {
      const { answer, open } = yield* silentProvider
      const { readWrite } = yield* seed({ provider: "gsheets" })
      const { readOnly } = yield* seed()
      const writing = yield* fetchCall(readWrite, clearRange)
      yield* open(1)
      const reading = yield* fetchCall(readOnly, sitesList)
      yield* open(2)
      yield* Fiber.interrupt(writing)
      yield* Fiber.interrupt(reading)
      yield* open(1)
      yield* answer
      assert.strictEqual((yield* firstLoggedCall(readWrite)).http_status, 200)
    }))
})
