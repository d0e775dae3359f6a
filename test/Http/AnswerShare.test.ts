import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { site } from "./Fixture.ts"
import { requestHead } from "./RawRequest.ts"

/** All answers together then have room for 8 MB: one of the longest. */
const Small = TestServer.make({ MAX_RESPONSE_BYTES: "4000000" })

const Kept = Schema.Struct({ data: Schema.Struct({ result: Schema.Struct({ id: Schema.String }) }) })

const report = {
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] } },
  keep: true
}

const setUp = Effect.gen(function*() {
  const server = yield* TestServer
  ;(yield* LoopbackUpstream).handle(() => ({
    body: { rows: Array.from({ length: 3000 }, (_, index) => ({ keys: [`${index} ${"x".repeat(1000)}`] })) }
  }))
  const seeded = yield* seed()
  const { json } = yield* server.call(seeded.readOnly, report)
  const { id } = Schema.decodeUnknownSync(Kept)(json).data.result
  const path = `/v1/results/${id}?limit=10000`
  const short = `/v1/results/${id}?limit=1`

  /** Asks for a page, and reads no more than its beginning. */
  const leave = Effect.gen(function*() {
    const { hostname, port } = new URL(server.url)
    const socket: Socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect(Number(port), hostname)),
      (socket) => Effect.sync(() => socket.destroy())
    )
    socket.write(requestHead("GET", path, { authorization: `Bearer ${seeded.readOnly}`, connection: "close" }))
    yield* Effect.promise(() => once(socket, "readable"))
    return socket
  })
  return { ...seeded, leave, path, server, short }
})

layer(Small, { excludeTestServices: true })("A long answer", (it) => {
  it.effect("takes its bytes from the share of its member until the client has them, or has gone", () =>
    Effect.gen(function*() {
      const { leave, path, readOnly, readWrite, server, short } = yield* setUp
      const ask = (key: string, at: string) => server.request("GET", at, { key })
      const waiting = (key: string, at: string) => Effect.forkChild(ask(key, at), { startImmediately: true })
      for (const end of ["read", "destroy"] as const) {
        const socket = yield* leave
        // Both keys are of one member.
        const next = yield* waiting(readOnly, path)
        assert.strictEqual((yield* ask(readWrite, "/v1/providers")).status, 200)
        assert.isUndefined(next.pollUnsafe())
        if (end === "read") socket.resume()
        else socket.destroy()
        assert.strictEqual((yield* Fiber.join(next)).status, 200)
      }
      assert.strictEqual((yield* ask(readOnly, short)).status, 200)
    }))

  it.effect("that is not read leaves room for others", () =>
    Effect.gen(function*() {
      const [{ leave }, { path, readOnly, server }] = [yield* setUp, yield* setUp]
      yield* leave
      assert.strictEqual((yield* server.request("GET", path, { key: readOnly })).status, 200)
    }))
})
