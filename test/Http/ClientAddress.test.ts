import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { ClientAddress } from "../../src/Http/ClientAddress.ts"

const addressOf = Effect.fnUntraced(function*(proxies: string, remoteAddress: string, forwarded?: string) {
  const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ TRUSTED_PROXIES: proxies }))
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/", { headers })).modify({
    remoteAddress: Option.some(remoteAddress)
  })
  const { of } = yield* ClientAddress.pipe(Effect.provide(ClientAddress.layer.pipe(Layer.provide(settings))))
  return of(request)
})

describe("The address of a client", () => {
  it.effect.each([
    ["", "192.0.2.1", undefined, "192.0.2.1"],
    ["", "192.0.2.1", "203.0.113.9", "192.0.2.1"],
    ["", "::ffff:192.0.2.1", undefined, "192.0.2.1"],
    ["10.0.0.0/8", "192.0.2.1", "203.0.113.9", "192.0.2.1"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.0/8", "::ffff:10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.0/8", "10.1.2.3", "198.51.100.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["10.0.0.0/8", "10.1.2.3", undefined, "10.1.2.3"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
    ["10.0.0.0/8", "10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
    ["10.0.0.0/8, 2001:db8::/32", "2001:db8::1", "[2001:DB9::7]:4711", "2001:db9::7"],
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
})
