import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { CallId } from "../../../src/Domain/Ids.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { CurrentCallId } from "../../../src/Domain/Request/CurrentCallId.ts"
import { AnonymousBodies } from "../../../src/Http/Server/AnonymousBodies.ts"
import { withErrorResponse } from "../../../src/Http/Server/ErrorResponses.ts"
import { listening } from "../../support/Listening.ts"

interface Sent {
  readonly from?: string
  readonly length?: number
  /** How much of the body is not sent. */
  readonly missing?: number
}

interface Received {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
}

/** A server whose route reads a body. The header `x-from` is the address. */
class BodyServer extends Context.Service<BodyServer, {
  readonly send: (sent: Sent) => Effect.Effect<Received>
  /** Sends a request and waits until the server reads it, but not for the response. */
  readonly begin: (sent: Sent) => Effect.Effect<Fiber.Fiber<Received>, never, Scope.Scope>
}>()("openaccounts/test/Http/BodyServer") {
  static readonly layer = Layer.effect(
    BodyServer,
    Effect.gen(function*() {
      const bodies = yield* AnonymousBodies
      const begun = yield* Queue.unbounded<void>()

      const route = Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        yield* Queue.offer(begun, undefined)
        return yield* bodies.use((body) => Effect.succeed(HttpServerResponse.text(`${body.length}`))).pipe(
          Effect.provideService(CurrentAddress, headers["x-from"] ?? null)
        )
      })
      const handler = yield* NodeHttpServer.makeHandler(
        Effect.provideService(
          withErrorResponse(Effect.interruptible(route)),
          CurrentCallId,
          CallId.make("call_01k9z3m7q4f8s6v2x0c5b1n8ty")
        ),
        { scope: yield* Effect.scope }
      )
      const port = yield* listening(createServer(handler))

      const send = ({ from = "192.0.2.1", length = 16_384, missing = 0 }: Sent) =>
        Effect.callback<Received>((resume) => {
          const client = request({
            host: "127.0.0.1",
            port,
            method: "POST",
            agent: false,
            headers: { "content-length": length, "x-from": from, connection: "keep-alive" }
          }, (response) => {
            void text(response).then(() => {
              resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers }))
              client.destroy()
            })
          }).on("error", () => {})
          client.write(Buffer.alloc(length - missing, " "))
          return Effect.sync(() => client.destroy())
        })

      return BodyServer.of({
        send: (sent) => Effect.ensuring(send(sent), Queue.take(begun)),
        begin: (sent) => Effect.tap(Effect.forkScoped(send(sent)), () => Queue.take(begun))
      })
    })
  ).pipe(Layer.provide(AnonymousBodies.layer))
}

/** Half of the budget, in bodies of 16 KiB. */
const mostOfOneNetwork = 128

const test = (name: string, effect: Effect.Effect<void, never, BodyServer | Scope.Scope>) =>
  it.effect(name, () => Effect.provide(effect, BodyServer.layer))

describe("A body of an unknown caller", () => {
  test(
    "that is not complete after ten seconds gets request_timeout, and its connection is closed",
    Effect.gen(function*() {
      const { begin } = yield* BodyServer
      const small = yield* begin({ length: 100, missing: 1 })
      const large = yield* begin({ missing: 1 })
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(small.pollUnsafe())
      yield* TestClock.adjust("1 second")
      for (const fiber of [small, large]) {
        const { headers, status } = yield* Fiber.join(fiber)
        assert.strictEqual(status, 408)
        assert.strictEqual(headers.connection, "close")
      }
    })
  )

  test(
    "finds room beside a network that sends as many as it can",
    Effect.gen(function*() {
      const { begin, send } = yield* BodyServer
      yield* Effect.replicateEffect(begin({ missing: 1 }), mostOfOneNetwork, { concurrency: "unbounded" })
      assert.strictEqual((yield* send({ from: "192.0.2.2" })).status, 200)
      assert.strictEqual((yield* send({ length: 2048 })).status, 200)
      const further = yield* begin({})
      yield* TestClock.adjust("5 seconds")
      const { headers, status } = yield* Fiber.join(further)
      assert.deepStrictEqual([status, headers["retry-after"]], [429, "5"])
    })
  )
})
