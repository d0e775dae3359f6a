import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Result } from "effect"
import { Dns, NetAddress } from "effect/net"
import { parsePublicUrl } from "../../src/Outbound/PublicAddress.ts"
import { makePublicHttp, type PublicRequest } from "../../src/Outbound/PublicHttp.ts"
import { closingListener } from "../support/ClosingListener.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"

const privateHosts = [
  ..."localhost LOCALHOST. a.localhost 0.0.0.0 0 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 ①②⑦.0.0.1".split(" "),
  ..."10.1.2.3 100.64.0.1 169.254.169.254 172.31.255.255 192.168.1.1 198.18.0.1 203.0.113.9 224.0.0.1".split(" "),
  ..."255.255.255.255 [::] [::1] [::ffff:127.0.0.1] [::ffff:a00:1] [::127.0.0.1] [64:ff9b::7f00:1]".split(" "),
  ..."[2002:7f00:1::] [2001:0:1::] [2001:db8::1] [fc00::1] [fe80::1] [ff02::1]".split(" ")
]

describe("The text of a public URL", () => {
  it.each(privateHosts)("is refused for %s", (host) => {
    assert.isTrue(Result.isFailure(parsePublicUrl(`https://${host}/hook`)))
    assert.isTrue(Result.isSuccess(parsePublicUrl(`http://${host}/hook`, true)))
  })

  it.each(
    "hook ftp://example.com https:// https://u:p@example.com https://example.com/#x https://1.2.3.4.5/".split(" ")
  )("is refused for %s, also where private addresses are allowed", (text) => {
    assert.isTrue(Result.isFailure(parsePublicUrl(text)))
    assert.isTrue(Result.isFailure(parsePublicUrl(text, true)))
  })

  it.each([22, 25, 993, 1433, 1521, 3306, 5432, 6000, 6379, 9200, 10080, 11211, 27017])(
    "is refused for port %i",
    (port) => {
      const url = `https://hooks.example.com:${port}/hook`
      assert.strictEqual(
        Result.getOrElse(parsePublicUrl(url), String),
        `Port ${port} belongs to another protocol than HTTP`
      )
      assert.isTrue(Result.isSuccess(parsePublicUrl(url, true)))
    }
  )

  it.each(
    "example.com example.com:80 example.com:8443 172.32.0.1 [2606:4700::1111] localhost.example.com".split(" ")
  )("is accepted for %s, with https", (host) => {
    assert.isTrue(Result.isSuccess(parsePublicUrl(`https://${host}/hook?a=b`)))
    assert.isTrue(Result.isFailure(parsePublicUrl(`http://${host}/hook`)))
  })
})

const request = (url: string): PublicRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "text/plain" },
  body: "hello",
  timeout: Duration.seconds(10),
  maxBytes: 100
})

/** Repeats the last answer. */
const dnsOf = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let lookups = 0
  const dns = Dns.make({
    lookup: () => Effect.sync(() => (answers[lookups++] ?? answers.at(-1) ?? []).map(NetAddress.ipFromStringUnsafe))
  })
  return { dns, lookups: () => lookups }
}

const httpWith = (dns: Dns.Dns["Service"], allowPrivate = false) =>
  Effect.provideService(makePublicHttp({ allowPrivate }), Dns.Dns, dns)

layer(Layer.fresh(LoopbackUpstream.layer), { excludeTestServices: true })("A public request", (it) => {
  it.effect("makes no connection to a private address, by number or name, or where one of several is private", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* closingListener
      for (const host of privateHosts) {
        const { exchange } = yield* httpWith(dnsOf(["127.0.0.1"]).dns)
        const { message } = yield* Effect.flip(exchange(request(`https://${host}:${port}/`)))
        assert.include(message, "not a public address")
      }
      for (const addresses of [["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["93.184.215.14", "127.0.0.1"]]) {
        const { exchange } = yield* httpWith(dnsOf(addresses).dns)
        const { message } = yield* Effect.flip(exchange(request(`https://hooks.example.com:${port}/secret`)))
        assert.match(message, /^hooks\.example\.com resolves to \S+, which is not a public address\.$/)
      }
      assert.strictEqual(connections(), 0)
    }))

  it.effect("resolves a name once and connects to an address of that answer, whatever the name says later", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const url = `http://rebound.example.com:${new URL(upstream.url).port}/`
      upstream.handle(() => ({ status: 204 }))
      const { dns, lookups } = dnsOf(["127.0.0.1"], ["127.0.0.2"])
      const { exchange } = yield* httpWith(dns, true)
      assert.strictEqual((yield* exchange(request(url))).status, 204)
      assert.strictEqual(lookups(), 1)
      assert.include((yield* Effect.flip(exchange(request(url)))).message, "ECONNREFUSED")
      assert.strictEqual(lookups(), 2)
      assert.deepStrictEqual(upstream.requests.map(({ body, headers }) => [headers.host, body]), [
        [new URL(url).host, "hello"]
      ])
    }))

  it.effect("follows no redirect", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* closingListener
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ status: 307, headers: { location: `http://127.0.0.1:${port}/` } }))
      const { exchange } = yield* httpWith(dnsOf([]).dns, true)
      const { headers, status } = yield* exchange(request(`${upstream.url}/hook`))
      assert.strictEqual(status, 307)
      assert.strictEqual(headers["location"], `http://127.0.0.1:${port}/`)
      assert.strictEqual(connections(), 0)
    }))

  it.effect("reads no more of an endless answer than asked for", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => (response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(1000)));
        }
        response.on("drain", more)
        more()
      })
      const { exchange } = yield* httpWith(dnsOf([]).dns, true)
      const { body, isComplete, status } = yield* exchange(request(upstream.url))
      assert.deepStrictEqual([status, body.length, isComplete], [200, 100, false])
    }))

  it.effect("fails when the name is unknown, the receiver is down, closes the connection or takes too long", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { exchange } = yield* httpWith(dnsOf([]).dns, true)
      const failure = (url: string, timeout = Duration.seconds(10)) =>
        Effect.map(Effect.flip(exchange({ ...request(url), timeout })), ({ message }) => message)
      assert.include(yield* failure("https://nowhere.example.com/"), "does not resolve")
      assert.include(yield* failure("http://127.0.0.1:1/"), "ECONNREFUSED")
      upstream.handle(() => (response) => response.destroy())
      assert.include(yield* failure(upstream.url), "closed the connection")
      upstream.handle(() => () => {})
      assert.include(yield* failure(`${upstream.url}/secret`, Duration.millis(50)), "did not answer within 50ms")
    }))
})
