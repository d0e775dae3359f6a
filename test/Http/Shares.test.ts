import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { assertLimited } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { clearRange, firstLoggedCall, sitesList } from "./Fixture.ts"
import { requestHead } from "./RawRequest.ts"

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
    Effect.tryPromise((signal) =>
      fetch(`${url}/v1/call`, {
        method: "POST",
        signal,
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body)
      })
    ))

/** Returns when the service reads the request, and leaves the connection open until the test ends. */
const sendPart = Effect.fnUntraced(function*(part: string) {
  const { hostname, port } = new URL((yield* TestServer).url)
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => connect(Number(port), hostname)),
    (socket) => Effect.sync(() => socket.destroy())
  )
  socket.write(part)
  yield* Effect.promise(() => once(socket, "data"))
})

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

  it.effect("with half-sent bodies occupies nothing", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      const { readOnly, readWrite } = yield* seed()
      const head = (headers: Readonly<Record<string, string>>) =>
        requestHead("POST", "/v1/call", { authorization: `Bearer ${readOnly}`, expect: "100-continue", ...headers })
      yield* Effect.forEach(Array.from({ length: 12 }), () => sendPart(`${head({ "content-length": "1000" })}{`))
      yield* Effect.forEach(
        Array.from({ length: 12 }),
        () => sendPart(`${head({ "transfer-encoding": "chunked" })}1\r\n{\r\n`)
      )
      for (const key of [readOnly, readWrite]) {
        const { status } = yield* call(key, { provider: "gsc", endpoint: "nope" })
        assert.strictEqual(status, 404)
      }
    }))

  it.effect("that disconnect occupies nothing, and finds them in the log", () =>
    Effect.gen(function*() {
      const { api, call } = yield* TestServer
      const { open, upstream } = yield* silentProvider
      const { readOnly } = yield* seed()
      for (const body of [sitesList, { ...sitesList, max_age: 60 }]) {
        const calls = yield* Effect.replicateEffect(
          Effect.forkChild(fetchCall(readOnly, body), { startImmediately: true }),
          4
        )
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
      const writing = yield* Effect.forkChild(fetchCall(readWrite, clearRange), { startImmediately: true })
      yield* open(1)
      const reading = yield* Effect.forkChild(fetchCall(readOnly, sitesList), { startImmediately: true })
      yield* open(2)
      yield* Fiber.interrupt(writing)
      yield* Fiber.interrupt(reading)
      yield* open(1)
      yield* answer
      assert.strictEqual((yield* firstLoggedCall(readWrite)).http_status, 200)
    }))
})
