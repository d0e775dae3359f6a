import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Duration, Effect, Layer, Option } from "effect"
import { Redis } from "effect/persistence"
import { RedisCache } from "../../scripts/examples/RedisCache.ts"
import { Cache } from "../../src/Calls/Cache/Cache.ts"
import { CacheKey } from "../../src/Calls/Cache/CacheKey.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { Vault } from "../../src/Secrets/Vault.ts"
import { DataDir } from "../../src/Sql/DataDir.ts"
import { sitesList } from "../Http/Fixture.ts"
import { newConnection } from "../Sql/NewConnection.ts"
import { cache } from "../Sql/suites/Cache.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealRedis, redisServer } from "../support/RealRedis.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const vaultWith = (keyId: string) =>
  Vault.layer.pipe(
    Layer.provide(Layer.succeed(DataDir, { path: Effect.succeed, secret: () => Effect.die("No file is written") })),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      ENCRYPTION_KEYS: `${keyId}:${Buffer.alloc(32, 7).toString("base64")}`
    })))
  )

const OnRedis = RedisCache.pipe(Layer.provideMerge(RealRedis), Layer.provide(vaultWith("k1")))

/** Stores one response, and no drops. */
const OneResponse = Layer.effect(
  Redis.Redis,
  Effect.suspend(() => {
    let stored: ReadonlyArray<string | null> = [null, null, null]
    return Redis.make({
      send: (command, ...parameters) =>
        Effect.sync(() => {
          if (command === "EVAL") stored = parameters.slice(3, 6)
          return JSON.parse(JSON.stringify(command === "HMGET" ? stored : null))
        }),
      subscribe: () => Effect.die("Nothing is published"),
      connect: Effect.die("Nothing needs a connection of its own")
    })
  })
)

const cacheWith = (keyId: string) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(RedisCache, vaultWith(keyId)))),
    (services) => Context.get(services, Cache)
  )

describe("The example of a cache on Redis without an encryption key", () => {
  it.effect("misses the responses that the key encrypts", () =>
    Effect.gen(function*() {
      const key = new CacheKey(yield* newConnection, "raw:sites.list", {})
      const [before, after] = [yield* cacheWith("k1"), yield* cacheWith("k2")]
      yield* before.put(key, JsonText.stringify({ siteEntry: [] }), yield* Clock.currentTimeMillis)
      assert.isTrue(Option.isSome(yield* before.get(key, Duration.hours(1))))
      assert.isTrue(Option.isNone(yield* after.get(key, Duration.hours(1))))
    }).pipe(Effect.provide(OneResponse)))
})

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
    it.effect("answers calls that allow it with max_age, and keeps no response in clear", () =>
      Effect.gen(function*() {
        const redis = yield* Redis.Redis
        const upstream = yield* LoopbackUpstream
        const { reader } = yield* seed()
        upstream.handle(() => ({ body: { siteEntry: [{ siteUrl: "https://canary.example/" }] } }))
        const read = Effect.map(reader.call.call({ payload: { ...sitesList, max_age: 60 } }), ({ cached }) => cached)
        assert.deepStrictEqual([yield* read, yield* read], [false, true])
        assert.lengthOf(upstream.requests, 1)
        const names = yield* redis.send<ReadonlyArray<string>>("KEYS", "openaccounts:response:*")
        assert.isNotEmpty(names)
        for (const name of names) {
          const fields = yield* redis.send<ReadonlyArray<string>>("HVALS", name)
          const texts = [...fields, ...fields.map((field) => Buffer.from(field, "base64").toString())]
          assert.notInclude(texts.join(" "), "canary")
        }
      }))
  })
})
