import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { RedisCache } from "../../scripts/examples/RedisCache.ts"
import { Vault } from "../../src/Connections/Vault.ts"
import { DataDir } from "../../src/Sql/DataDir.ts"
import { sitesList } from "../Http/Fixture.ts"
import { cache } from "../Sql/suites/Cache.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealRedis, redisServer } from "../support/RealRedis.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const keys = ConfigProvider.layer(ConfigProvider.fromUnknown({
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`
}))

const OnRedis = RedisCache.pipe(
  Layer.provideMerge(RealRedis),
  Layer.provide(Vault.layer),
  Layer.provide(Layer.succeed(DataDir, { path: Effect.succeed, secret: () => Effect.die("No file is written") })),
  Layer.provide(keys)
)

// Install it with `apt install redis-server`.
describe.skipIf(redisServer === undefined)("The example of a cache on Redis", () => {
  layer(OnRedis)((it) => {
    cache(it)
  })

  layer(
    TestServer.make({}, { services: { Cache: Layer.provide(RedisCache, RealRedis) } }).pipe(
      Layer.provideMerge(RealRedis)
    ),
    { excludeTestServices: true }
  )("in the service", (it) => {
    it.effect("answers calls that allow it with max_age", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { reader } = yield* seed()
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const read = Effect.map(reader.call.call({ payload: { ...sitesList, max_age: 60 } }), ({ cached }) => cached)
        assert.deepStrictEqual([yield* read, yield* read], [false, true])
        assert.strictEqual(upstream.requests.length, 1)
      }))

    it.effect("keeps no response in clear", () =>
      Effect.gen(function*() {
        const redis = yield* Redis.Redis
        const upstream = yield* LoopbackUpstream
        const { reader } = yield* seed()
        upstream.handle(() => ({ body: { siteEntry: [{ siteUrl: "https://canary.example/" }] } }))
        yield* reader.call.call({ payload: { ...sitesList, max_age: 60 } })
        const names = yield* redis.send<ReadonlyArray<string>>("KEYS", "openaccounts:response:*")
        assert.isNotEmpty(names)
        for (const name of names) {
          const fields = yield* redis.send<ReadonlyArray<string>>("HVALS", name)
          assert.notInclude(fields.join(" "), "canary")
          assert.notInclude(fields.map((field) => Buffer.from(field, "base64").toString()).join(" "), "canary")
        }
      }))
  })
})
