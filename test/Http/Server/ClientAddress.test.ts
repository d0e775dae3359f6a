import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { ClientAddress } from "../../../src/Http/Server/ClientAddress.ts"

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
