import { Clock, Config, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { Cache, type CacheKey, type ConnectionId, JsonText, Vault } from "../../src/index.ts"

/** Longer responses are not stored. */
const maxBodyBytes = 1_048_576

const responseKey = ({ name }: CacheKey) => `openaccounts:response:${name}`
const dropKey = (connection: ConnectionId) => `openaccounts:drop:${connection}`

/** A late response must not replace a newer one. */
const putScript = `
local at = redis.call('HGET', KEYS[1], 'at')
if at and tonumber(at) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'at', ARGV[1], 'body', ARGV[2], 'key', ARGV[3])
return redis.call('PEXPIRE', KEYS[1], ARGV[4])`

/**
 * The cache on Redis, for instances whose database should not hold responses. Bodies are encrypted with the service's
 * keys. Redis may evict every key except drops: after a lost drop, the cache serves a response from before a write.
 */
export const RedisCache = Layer.effect(
  Cache,
  Effect.gen(function*() {
    const redis = yield* Redis.Redis
    const vault = yield* Vault
    const retention = Duration.toMillis(
      yield* Config.Duration("CACHE_RETENTION").pipe(Config.withDefault(Duration.days(7)))
    )

    const droppedAt = (connection: ConnectionId) =>
      Effect.map(redis.send<string | null>("GET", dropKey(connection)), (at) => at === null ? -Infinity : Number(at))

    return Cache.of({
      // Without Redis, calls go to the provider.
      get: Effect.fnUntraced(
        function*(key, maxAge) {
          const [[at, body, encryptionKeyId], dropped] = yield* Effect.all([
            redis.send<ReadonlyArray<string | null>>("HMGET", responseKey(key), "at", "body", "key"),
            droppedAt(key.connection.id)
          ], { concurrency: "unbounded" })
          if (typeof at !== "string" || typeof body !== "string" || typeof encryptionKeyId !== "string") {
            return Option.none()
          }
          const oldest = (yield* Clock.currentTimeMillis) - Math.min(Duration.toMillis(maxAge), retention)
          if (Number(at) < oldest || Number(at) <= dropped) return Option.none()
          const text = yield* vault.decrypt(key.name, { bytes: Buffer.from(body, "base64"), encryptionKeyId })
          return Option.some(JsonText.trusted(Redacted.value(text)))
        },
        (effect) =>
          Effect.catchTags(effect, {
            // The key was removed after a rotation.
            DecryptionFailed: () => Effect.succeedNone,
            RedisError: (error) =>
              Effect.as(Effect.logWarning("The cache on Redis could not be read", error), Option.none())
          })
      ),

      put: (key, { text }, requestedAt) => {
        if (Buffer.byteLength(text) > maxBodyBytes) return Effect.void
        const { bytes, encryptionKeyId } = vault.encrypt(key.name, Redacted.make(text))
        const body = Buffer.from(bytes).toString("base64")
        return redis.send(
          "EVAL",
          putScript,
          "1",
          responseKey(key),
          `${requestedAt}`,
          body,
          encryptionKeyId,
          `${retention}`
        )
          .pipe(
            Effect.catch((error) => Effect.logWarning("A response could not be cached on Redis", error)),
            Effect.asVoid
          )
      },

      // A lost drop would serve old data, so its failure is reported.
      drop: (connection) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (now) => redis.send("SET", dropKey(connection), `${now}`, "PX", `${retention}`)
        ).pipe(Effect.orDie, Effect.asVoid),

      droppedSince: (connection, millis) => Effect.orDie(Effect.map(droppedAt(connection), (at) => at >= millis)),

      // They expire, and without their key they are missing.
      dropOutdated: Effect.void
    })
  })
)
