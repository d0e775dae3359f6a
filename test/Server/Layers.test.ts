import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Cache } from "../../src/Calls/Cache/Cache.ts"
import { JsonText } from "../../src/Domain/JsonText.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const FakeProviders = Layer.succeed(ProviderClient, {
  call: ({ endpoint }) => Effect.succeed(JsonText.stringify({ answeredBy: endpoint.id }))
})

layer(TestServer.make({}, { services: { ProviderClient: FakeProviders } }), { excludeTestServices: true })(
  "A suite without providers",
  (it) => {
    it.effect("has its calls answered by the fake, and nothing is sent", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { readOnly } = yield* seed()
        const answer = yield* server.call(readOnly, { provider: "gsc", endpoint: "sites.list" })
        assert.deepStrictEqual(answer.json.data, { answeredBy: "sites.list" })
        assert.deepStrictEqual(upstream.requests, [])
      }))
  }
)

/** Remembers one answer for everything. */
const StubbornCache = Layer.succeed(Cache, {
  get: () => Effect.succeed(Option.some(JsonText.stringify({ from: "another cache" }))),
  put: () => Effect.void,
  drop: () => Effect.void,
  droppedSince: () => Effect.succeed(false)
})

layer(TestServer.make({}, { services: { Cache: StubbornCache } }), { excludeTestServices: true })(
  "A team with a cache of its own",
  (it) => {
    it.effect("has calls answered from it, and only when they allow it", () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const { readOnly } = yield* seed()
        const call = { provider: "gsc", endpoint: "sites.list" }
        const cached = yield* server.call(readOnly, { ...call, max_age: 60 })
        assert.deepStrictEqual([cached.json.cached, cached.json.data], [true, { from: "another cache" }])
        const fresh = yield* server.call(readOnly, call)
        assert.deepStrictEqual([fresh.json.cached, fresh.json.data], [false, { siteEntry: [] }])
      }))
  }
)
