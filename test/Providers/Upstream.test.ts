import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Layer, Redacted } from "effect"
import type * as http from "node:http"
import { gzipSync } from "node:zlib"
import type { RateLimited } from "../../src/Api/Errors.ts"
import type { UpstreamUnreachable } from "../../src/Api/Errors/ProviderErrors.ts"
import { CurrentShare, makeCapacity } from "../../src/Capacity/Capacity.ts"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { bearer } from "../../src/Providers/RequestAuthentication.ts"
import { Upstream, type UpstreamRequest } from "../../src/Providers/Upstream.ts"
import { upstreamUrl } from "../../src/Providers/UpstreamUrl.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { spansOf } from "./ClientOnLoopback.ts"

const upstreamLayer = (settings: Record<string, string> = {}) =>
  Layer.fresh(Upstream.layer.pipe(Layer.provide(ProviderHttp.layer))).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )

const small = upstreamLayer({ MAX_RESPONSE_BYTES: "1000" })

/** Gets requests of tests that do not wait for them. */
const abandoned = Layer.fresh(LoopbackUpstream.layer)

const hasty = Layer.merge(abandoned, upstreamLayer({ UPSTREAM_TIMEOUT: "50 millis" }))

const TOKEN = "ya29.never-to-be-seen"

const get = Effect.fnUntraced(function*(path = "/", options: Partial<UpstreamRequest> = {}) {
  const { url } = yield* LoopbackUpstream
  const upstream = yield* Upstream
  return yield* upstream.exchange({
    method: "GET",
    url: upstreamUrl(`${url}${path}?q=private`),
    credential: { secret: Redacted.make(TOKEN), authentication: bearer },
    repeatable: false,
    ...options
  })
})

const failure = <R>(exchange: Effect.Effect<unknown, UpstreamUnreachable | RateLimited, R>) =>
  Effect.map(Effect.flip(exchange), (error) => {
    assert.strictEqual(error._tag, "UpstreamUnreachable")
    assert.notInclude(error.message, TOKEN)
    assert.notInclude(error.message, "private")
    return error.message
  })

const zippedOf = (text: string | Buffer) => ({ headers: { "content-encoding": "gzip" }, body: text })
const brokenOff = (headers: http.OutgoingHttpHeaders): Handler => () => (response) => {
  response.writeHead(200, headers)
  response.write("{\"rows\":[", () => response.destroy())
}

const TestLayer = Layer.merge(LoopbackUpstream.layer, upstreamLayer())

// Real sockets need the real clock.
layer(TestLayer, { excludeTestServices: true })("Upstream", (it) => {
  it.effect("status, headers and text arrive as sent", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => ({ status: 418, headers: { "Retry-After": "7" }, body: "\uFEFF{\"é\":1}" }))
      const answer = yield* get()
      assert.strictEqual(answer.status, 418)
      assert.strictEqual(answer.headers["retry-after"], "7")
      assert.strictEqual(answer.text, "{\"é\":1}")
    }))

  it.effect("gzip is requested", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => zippedOf(gzipSync("{\"rows\":[]}")))
      assert.strictEqual((yield* get()).text, "{\"rows\":[]}")
      assert.strictEqual(loopback.requests[0]?.headers["accept-encoding"], "gzip")
      assert.include(loopback.requests[0]?.headers["user-agent"], "gzip")
    }))

  const long = JSON.stringify("x".repeat(6_000_000))
  it.effect.each([
    { what: "with its length", reply: { body: long } },
    { what: "in chunks", reply: { body: long, headers: { "transfer-encoding": "chunked" } } },
    { what: "compressed", reply: zippedOf(gzipSync(long)) },
    {
      what: "compressed in two members",
      reply: zippedOf(Buffer.concat([gzipSync(long.slice(0, -9)), gzipSync("xxxxxxxx\"")]))
    }
  ])(
    "a long answer $what arrives whole, beside others and after others where there is no room for all",
    ({ reply }) =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => reply)
        for (const largest of [9_000_000, 600_000_000]) {
          const { open } = makeCapacity({ calls: 10, largest })
          const read = Effect.scopedWith((scope) => Effect.provideService(get(), CurrentShare, open("member", scope)))
          const answers = yield* Effect.replicateEffect(read, 4, { concurrency: 4 })
          assert.isTrue(answers.every(({ text }) => text === long))
        }
      }).pipe(Effect.provide(upstreamLayer({ UPSTREAM_TIMEOUT: "1 minute" })))
  )

  it.effect.each<readonly [what: string, handler: Handler, says: string]>([
    ["another content encoding", () => ({ headers: { "content-encoding": "br" }, body: "?" }), "content encoding"],
    [
      "a content length over the limit",
      () => ({ body: "x".repeat(1001) }),
      "more bytes than MAX_RESPONSE_BYTES allows"
    ],
    [
      "a small gzip body that decompresses beyond the limit",
      () => zippedOf(gzipSync("x".repeat(100_000))),
      "more bytes than MAX_RESPONSE_BYTES allows"
    ],
    ["a body with a length that breaks off", brokenOff({ "content-length": 100 }), "closed the connection before"],
    ["a body in chunks that breaks off", brokenOff({}), "closed the connection before the answer was complete"],
    ["a gzip body that breaks off", () => zippedOf(gzipSync("{}").subarray(0, 15)), "damaged gzip"],
    ["data that is not UTF-8", () => ({ body: Buffer.from("caf\u00e9", "latin1") }), "not UTF-8"]
  ])("%s fails", ([, handler, says]) =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(handler)
      assert.include(yield* failure(get()), says)
    }).pipe(Effect.provide(small)))

  it.effect("a body of the limit arrives, and an error page need not be UTF-8", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => ({ body: "x".repeat(1000) }))
      assert.strictEqual((yield* get()).text.length, 1000)
      loopback.handle(() => ({ status: 500, body: Buffer.from("caf\u00e9", "latin1") }))
      assert.strictEqual((yield* get()).text, "caf\uFFFD")
    }).pipe(Effect.provide(small)))

  it.effect("an endless body is cut off at the limit", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      const closed = yield* Deferred.make<void>()
      loopback.handle(() => (response) => {
        response.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        response.on("drain", () => response.write("x".repeat(65_536)))
        response.write("x".repeat(65_536))
      })
      assert.include(yield* failure(get()), "more bytes than MAX_RESPONSE_BYTES allows")
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(small)))

  it.effect.each<readonly [what: string, handler: Handler]>([
    ["an upstream that never answers", () => () => {}],
    ["a response that never ends", () => (response) => response.write("{")]
  ])("%s times out", ([, handler]) =>
    Effect.gen(function*() {
      ;(yield* LoopbackUpstream).handle(handler)
      assert.include(yield* failure(get()), "did not answer within 50ms")
    }).pipe(Effect.provide(hasty)))

  it.effect("retries share the time of the first request, whose answer stands when they come too late", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => ({ status: 429, headers: { "retry-after": "1" } }))
      assert.strictEqual((yield* get("/", { repeatable: true })).status, 429)
      assert.lengthOf(loopback.requests, 1)
      let asked = 0
      loopback.handle(() => ++asked === 1 ? { status: 503 } : () => {})
      assert.strictEqual((yield* get("/", { repeatable: true })).status, 503)
      assert.strictEqual(asked, 2)
    }).pipe(Effect.provide(Layer.merge(abandoned, upstreamLayer({ UPSTREAM_TIMEOUT: "1 second" })))))

  it.effect("an exchange ends at the deadline of its request", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => () => {})
      const { deadline } = yield* Upstream
      assert.include(yield* failure(get("/", { deadline: (yield* deadline) - 29_990 })), "did not answer")
    }).pipe(Effect.provide(abandoned)))

  it.effect("a closed port cannot be connected to", () =>
    Effect.gen(function*() {
      const { url } = yield* Effect.scoped(LoopbackUpstream.make)
      const message = yield* failure(get("/", { url: upstreamUrl(url) }))
      assert.include(message, "could not be connected to (ECONNREFUSED)")
      assert.include(message, new URL(url).host)
    }))

  it.effect("a server without TLS receives no credential", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => ({}))
      const url = upstreamUrl(loopback.url.replace("http:", "https:"))
      assert.include(yield* failure(get("/", { url })), "TLS failed")
      assert.strictEqual(loopback.requests.length, 0)
    }))

  it.effect("requests carry no trace headers, and traces no requests", () =>
    Effect.gen(function*() {
      const loopback = yield* LoopbackUpstream
      loopback.handle(() => ({ body: {} }))
      const spans = yield* spansOf(get().pipe(Effect.withSpan("ours")))
      const names = Object.keys(loopback.requests[0]?.headers ?? {})
      assert.sameMembers(names, ["accept", "accept-encoding", "authorization", "connection", "host", "user-agent"])
      assert.deepStrictEqual(spans.map(({ name }) => name), ["ours"])
      assert.notInclude(JSON.stringify(spans.map(({ attributes }) => [...attributes])), TOKEN)
    }))
})

describe("settings", () => {
  it.effect.each([
    ["UPSTREAM_TIMEOUT", "soon"],
    ["UPSTREAM_TIMEOUT", "2 hours"],
    ["MAX_RESPONSE_BYTES", "50MB"]
  ])("%s=%s is refused by name", ([variable = "", value]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Layer.build(upstreamLayer({ [variable]: value ?? "" })))
      assert.include(error.message, variable)
    }))
})
