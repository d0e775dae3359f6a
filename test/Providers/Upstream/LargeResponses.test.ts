import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { gzipSync } from "node:zlib"
import { type Capacity, CurrentShare, makeCapacity } from "../../../src/Capacity/Capacity.ts"
import { ProviderHttp } from "../../../src/Outbound/UndiciHttpClient.ts"
import { Upstream } from "../../../src/Providers/Upstream.ts"
import { upstreamUrl } from "../../../src/Providers/UpstreamUrl.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"

const get = Effect.gen(function*() {
  const { url } = yield* LoopbackUpstream
  const upstream = yield* Upstream
  return yield* upstream.exchange({ method: "GET", url: upstreamUrl(`${url}/`), repeatable: false })
})

const read = ({ open }: Capacity["Service"]) =>
  Effect.scopedWith((scope) => Effect.provideService(get, CurrentShare, open("member", scope)))

const readAtOnce = (count: number, capacity: Capacity["Service"]) =>
  Effect.replicateEffect(read(capacity), count, { concurrency: count })

const TestLayer = Layer.merge(
  LoopbackUpstream.layer,
  Upstream.layer.pipe(
    Layer.provide(ProviderHttp.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ UPSTREAM_TIMEOUT: "1 minute" })))
  )
)

const megabyte = 1_000_000

layer(TestLayer, { excludeTestServices: true })("A large response", (it) => {
  const text = JSON.stringify("x".repeat(6 * megabyte))
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
        for (const largest of [9 * megabyte, 600 * megabyte]) {
          const responses = yield* readAtOnce(4, makeCapacity({ calls: 10, largest }))
          assert.isTrue(responses.every((response) => response.text === text))
        }
      })
  )
})
