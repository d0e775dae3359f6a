import { Clock, Config, Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { DurationText } from "../../Domain/Validation/DurationText.ts"
import { Vault } from "../../Secrets/Vault.ts"
import { groupCommit, makeBatcher } from "../../Sql/Batcher.ts"
import { CallWrites } from "../CallWrites.ts"
import { type Drop, dropResponses, makeFindResponses, responseRow } from "./CachedResponses.ts"
import type { CacheKey } from "./CacheKey.ts"
import { sweepResponses } from "./CacheSweep.ts"
import { RecentResponses } from "./RecentResponses.ts"

/** Longer responses are not stored. */
const maxBodyBytes = 1_048_576

export const isTooLong = (body: JsonText): boolean => body.exceedsBytes(maxBodyBytes)

export const cacheRetention = Config.schema(DurationText, "CACHE_RETENTION").pipe(Config.withDefault(Duration.days(7)))

export class Cache extends Context.Service<Cache, {
  readonly get: (key: CacheKey, maxAge: Duration.Duration) => Effect.Effect<Option.Option<JsonText>>
  /**
   * `requestedAt` is in epoch milliseconds. The cache never serves a response requested before the last drop, because
   * it may be older than a write. Never fails.
   */
  readonly put: (key: CacheKey, body: JsonText, requestedAt: number) => Effect.Effect<void>
  readonly drop: (connection: ConnectionId) => Effect.Effect<void>
  readonly droppedSince: (connection: ConnectionId, epochMillis: number) => Effect.Effect<boolean>
  /** Deletes the responses that are not encrypted with the first key. They can be requested again. */
  readonly dropOutdated: Effect.Effect<void>
}>()("openaccounts/Calls/Cache/Cache") {
  static readonly layer = Layer.effect(
    Cache,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const retention = yield* cacheRetention
      yield* sweepResponses(retention)

      const drop = yield* groupCommit((drops: ReadonlyArray<Drop>) => dropResponses(sql, drops))
      const recent = new RecentResponses()
      // Responses of a revoked connection stay in memory for at most ten minutes.
      yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.sync(() => recent.clear()), Duration.minutes(10))))
      const find = yield* makeBatcher(makeFindResponses(sql, vault, recent), { maxSize: 32, lingerTurns: 4 })
      const writes = yield* CallWrites

      return Cache.of({
        get: Effect.fnUntraced(function* findResponse(key, maxAge) {
          const age = Duration.toMillis(Duration.min(maxAge, retention))
          const oldest = new Date((yield* Clock.currentTimeMillis) - age)
          return yield* find({ key, oldest })
        }, Effect.orDie),

        put: (key, body, requestedAt) =>
          isTooLong(body)
            ? Effect.void
            : Effect.catch(
              Effect.suspend(() => writes.store(responseRow(vault, key, body, new Date(requestedAt)))),
              (error) => Effect.logWarning("A response could not be cached", error)
            ),

        drop: (connection) =>
          Effect.orDie(
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              drop({ connection_id: connection, dropped_at: new Date(now) }))
          ),

        droppedSince: Effect.fnUntraced(function* droppedSince(connection, millis) {
          const drops = yield* sql`
            SELECT FROM response_drops WHERE connection_id = ${connection} AND dropped_at >= ${new Date(millis)}`
          return drops.length > 0
        }, Effect.orDie),

        dropOutdated: Effect.orDie(
          Effect.asVoid(sql`DELETE FROM responses WHERE encryption_key_id <> ${vault.keyId}`)
        )
      })
    })
  ).pipe(Layer.provide(CallWrites.layer))

  static readonly layerMemory = Layer.sync(Cache, () => {
    const responses = new Map<
      string,
      { readonly connection: ConnectionId; readonly body: JsonText; readonly at: number }
    >()
    const drops = new Map<ConnectionId, number>()
    const droppedAt = (connection: ConnectionId) => drops.get(connection) ?? -Infinity

    return Cache.of({
      get: (key, maxAge) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const found = responses.get(key.name)
          return found !== undefined && found.at >= now - Duration.toMillis(maxAge) &&
              found.at > droppedAt(key.connection.id)
            ? Option.some(found.body)
            : Option.none()
        }),
      put: (key, body, requestedAt) =>
        Effect.sync(() => {
          const isNewest = (responses.get(key.name)?.at ?? -Infinity) <= requestedAt
          if (!isNewest || isTooLong(body)) return
          responses.set(key.name, { connection: key.connection.id, body, at: requestedAt })
        }),
      drop: (connection) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          drops.set(connection, now)
          for (const [name, response] of responses) {
            if (response.connection === connection) responses.delete(name)
          }
        }),
      droppedSince: (connection, millis) => Effect.sync(() => droppedAt(connection) >= millis),
      dropOutdated: Effect.void
    })
  })
}
