import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Fiber, Layer, Logger, Option, Queue, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { CallId } from "../../../src/Domain/Ids.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { CurrentCallId } from "../../../src/Domain/Request/CurrentCallId.ts"
import { AnonymousBodies } from "../../../src/Http/Server/AnonymousBodies.ts"
import { ClientAddress } from "../../../src/Http/Server/ClientAddress.ts"
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

const requestFrom = (remoteAddress: string, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  return HttpServerRequest.fromWeb(new Request("http://localhost/", { headers })).modify({
    remoteAddress: Option.some(remoteAddress)
  })
}

const seenBy = Effect.fnUntraced(function*(
  provide: ClientAddress["Service"]["provide"],
  request: HttpServerRequest.HttpServerRequest
) {
  let address: string | null = null
  const app = Effect.map(CurrentAddress, (current) => {
    address = current
    return HttpServerResponse.empty()
  })
  yield* Effect.provideService(provide(app), HttpServerRequest.HttpServerRequest, request)
  return address
})

const addressOf = Effect.fnUntraced(function*(proxies: string, remoteAddress: string, forwarded?: string) {
  const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ TRUSTED_PROXIES: proxies }))
  const { provide } = yield* ClientAddress.pipe(Effect.provide(ClientAddress.layer.pipe(Layer.provide(settings))))
  return yield* seenBy(provide, requestFrom(remoteAddress, forwarded))
})

describe("The address of a client", () => {
  it.effect.each([
    ["", "192.0.2.1", undefined, "192.0.2.1"],
    ["", "192.0.2.1", "203.0.113.9", "192.0.2.1"],
    ["", "::ffff:192.0.2.1", undefined, "192.0.2.1"],
    ["10.0.0.0/8", "192.0.2.1", "203.0.113.9", "192.0.2.1"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.0/8", "10.1.2.3", "198.51.100.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["10.0.0.0/8", "10.1.2.3", undefined, "10.1.2.3"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db8::1", "[2001:DB9::7]:4711", "2001:db9::7"],
    ["", "fe80::1%eth0", undefined, "fe80::1"],
    ["192.0.2.7", "192.0.2.7", "203.0.113.9", "203.0.113.9"],
    ["192.0.2.7", "192.0.2.8", "203.0.113.9", "192.0.2.8"]
  ])(
    "with TRUSTED_PROXIES=%s, a connection from %s and X-Forwarded-For: %s is %s",
    ([proxies, remote, forwarded, expected]) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* addressOf(proxies ?? "", remote ?? "", forwarded), expected)
      })
  )

  it.effect.each(["10.0.0.0/33", "10.0.0.0/", "proxy.example.com", "10.0.0.1/8/8", "2001:db8::/129"])(
    "TRUSTED_PROXIES=%s is refused by its name",
    (proxies) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(addressOf(proxies, "192.0.2.1"))
        assert.include(String(error), "TRUSTED_PROXIES")
      })
  )

  it.effect("is warned about once an hour where a proxy is not trusted", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => logged.push(String(message)))
      const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ TRUSTED_PROXIES: "10.0.0.0/8" }))
      yield* Effect.gen(function*() {
        const { isProxyUntrusted, provide } = yield* ClientAddress
        const warn = (request: HttpServerRequest.HttpServerRequest) => seenBy(provide, request)
        yield* warn(requestFrom("192.0.2.1"))
        yield* warn(requestFrom("10.1.2.3", "203.0.113.9"))
        assert.isFalse(yield* isProxyUntrusted)
        for (const proxy of ["172.18.0.1", "172.18.0.1", "172.18.0.2"]) yield* warn(requestFrom(proxy, "203.0.113.9"))
        assert.isTrue(yield* isProxyUntrusted)
        assert.lengthOf(logged, 1)
        assert.match(logged[0] ?? "", /172\.18\.0\.1.*TRUSTED_PROXIES/)
        yield* TestClock.adjust("1 hour")
        assert.isFalse(yield* isProxyUntrusted)
        yield* warn(requestFrom("172.18.0.2", "203.0.113.9"))
        assert.lengthOf(logged, 2)
      }).pipe(Effect.provide([ClientAddress.layer.pipe(Layer.provide(settings)), Logger.layer([logger])]))
    }))
})
