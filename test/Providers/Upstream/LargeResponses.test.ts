import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Fiber, Layer, Scope } from "effect"
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { type Capacity, CurrentShare, makeCapacity } from "../../../src/Capacity/Capacity.ts"
import { ProviderHttp } from "../../../src/Outbound/UndiciHttpClient.ts"
import { Upstream } from "../../../src/Providers/Upstream.ts"
import { upstreamUrl } from "../../../src/Providers/UpstreamUrl.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"

const get = Effect.gen(function*() {
  const { url } = yield* LoopbackUpstream
  const upstream = yield* Upstream
  return yield* upstream.exchange({ method: "GET", url: upstreamUrl(`${url}/`), repeatable: false })
})

const capacityOf = (largest: number) => makeCapacity({ calls: 10, largest })

const read = ({ open }: Capacity["Service"]) =>
  Effect.scopedWith((scope) => Effect.provideService(get, CurrentShare, open("member", scope)))

const readAtOnce = (count: number, capacity: Capacity["Service"]) =>
  Effect.replicateEffect(read(capacity), count, { concurrency: count })

const textOf = (length: number) => JSON.stringify("x".repeat(length - 2))

const TestLayer = Layer.merge(
  LoopbackUpstream.layer,
  Upstream.layer.pipe(
    Layer.provide(ProviderHttp.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ UPSTREAM_TIMEOUT: "1 minute" })))
  )
)

const megabyte = 1_000_000

layer(TestLayer, { excludeTestServices: true })("A large response", (it) => {
  const text = textOf(6 * megabyte)
  const gzip = { "content-encoding": "gzip" }
  const chunked = { "transfer-encoding": "chunked" }
  it.effect.each([
    { what: "with its length", reply: { body: text } },
    { what: "in chunks", reply: { body: text, headers: chunked } },
    { what: "compressed", reply: { body: gzipSync(text), headers: gzip } },
    {
      what: "compressed in two members",
      reply: { body: Buffer.concat([gzipSync(text.slice(0, -9)), gzipSync("xxxxxxxx\"")]), headers: gzip }
    }
  ])(
    "that is sent $what arrives whole, beside others and after others where there is no room for all",
    ({ reply }) =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(() => reply)
        for (const capacity of [9 * megabyte, 600 * megabyte]) {
          const responses = yield* readAtOnce(4, capacityOf(capacity))
          assert.isTrue(responses.every((response) => response.text === text))
        }
      })
  )

  it.effect("of known length needs no more room than that, so others arrive at the same time", () =>
    Effect.gen(function*() {
      const length = 25 * megabyte
      const sent: Array<ServerResponse> = []
      ;(yield* LoopbackUpstream).handle(() => (response) => {
        response.writeHead(200, { "content-length": length })
        let left = length - 1
        const write = () => {
          while (left > 0) {
            const bytes = Math.min(left, megabyte)
            left -= bytes
            if (!response.write(" ".repeat(bytes))) return
          }
          if (sent.push(response) === 3) sent.forEach((each) => each.end("1"))
        }
        response.on("drain", write)
        write()
      })
      const responses = yield* readAtOnce(3, capacityOf(100 * megabyte))
      assert.isTrue(responses.every(({ text }) => text.length === length))
    }))

  it.effect("stays at the provider until there is room", () =>
    Effect.gen(function*() {
      let sent = 0
      ;(yield* LoopbackUpstream).handle(() => (response) => {
        const write = () => {
          while (sent < 45) {
            sent++
            if (!response.write(" ".repeat(megabyte))) return
          }
          response.end("1")
        }
        response.on("drain", write)
        write()
      })
      const capacity = capacityOf(60 * megabyte)
      const other = yield* Scope.make()
      yield* capacity.open("member", other).reserve("arriving", 45 * megabyte)
      const reading = yield* Effect.forkChild(read(capacity))
      const before = Effect.sync(() => sent)
      const isPaused = Effect.zipWith(Effect.delay(before, "1 millis"), Effect.delay(before, "200 millis"), Object.is)
      yield* eventually(isPaused, (paused) => paused && sent > 0)
      assert.isBelow(sent, 40)
      yield* Scope.close(other, Exit.void)
      assert.strictEqual((yield* Fiber.join(reading)).text.trim(), "1")
    }))
})
