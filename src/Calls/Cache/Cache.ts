import { Clock, Config, Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { JsonText } from "../../Providers/JsonText.ts"
import { groupCommit, makeBatcher } from "../../Sql/Batcher.ts"
import { isLongerThan } from "../Log/LoggedBody.ts"
import { logRetention } from "../Log/Partitions.ts"
import { LoggedData, nameOfData } from "../ResponseDeduplication.ts"
import { type Drop, dropResponses, findResponses, storeResponses, type WantedResponse } from "./CachedResponses.ts"
import type { CacheKey } from "./CacheKey.ts"
import { sweepResponses } from "./CacheSweep.ts"
import { RecentResponses } from "./RecentResponses.ts"

/** A longer response is not stored, in bytes (section 5 of the contract). */
const largestBody = 1_048_576

/** The responses of successful reads, by connection. */
export class Cache extends Context.Service<Cache, {
  /** The stored response, if it is at most `maxAge` old. */
  readonly get: (key: CacheKey, maxAge: Duration.Duration) => Effect.Effect<Option.Option<JsonText>>
  /**
   * Stores a response that was asked for at `askedAt`, in milliseconds since the epoch. It is not served if something
   * was written through the connection since, for then it may be older than the write.
   */
  readonly put: (key: CacheKey, body: JsonText, askedAt: number) => Effect.Effect<void>
  /** Something was written through the connection, or it was revoked: nothing from before may be served. */
  readonly drop: (connection: ConnectionId) => Effect.Effect<void>
  /** Whether `drop` was called at `millis`, since the epoch, or later. */
  readonly droppedSince: (connection: ConnectionId, millis: number) => Effect.Effect<boolean>
}>()("openaccounts/Calls/Cache") {
  static readonly layer = Layer.effect(
    Cache,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const retention = yield* Config.Duration("CACHE_RETENTION").pipe(Config.withDefault(Duration.days(7)))

      yield* sweepResponses(retention)

      const holders = yield* LoggedData
      const outlastsLog = Duration.isGreaterThan(retention, yield* logRetention)
      /** A call that has the body in the log for as long as it may be served. */
      const findCall = ({ connection }: CacheKey, body: JsonText, askedAt: number) => {
        const name = outlastsLog ? undefined : nameOfData(connection.id, body, askedAt)
        return name === undefined ? undefined : holders.findAnswered(name)
      }

      const recent = new RecentResponses()
      const store = yield* groupCommit(storeResponses(sql))
      const drop = yield* groupCommit((drops: ReadonlyArray<Drop>) => dropResponses(sql, drops))
      const find = yield* makeBatcher(
        (wanted: ReadonlyArray<WantedResponse>) => findResponses(sql, wanted),
        { maxSize: 32, lingerTurns: 4 }
      )

      return Cache.of({
        get: Effect.fnUntraced(function*(key, maxAge) {
          const age = Duration.toMillis(Duration.min(maxAge, retention))
          const oldest = new Date((yield* Clock.currentTimeMillis) - age)
          const { name } = key
          const body = yield* find({ key, oldest, known: recent.get(name) })
          if (Option.isSome(body)) recent.set(name, body.value)
          return body
        }, Effect.orDie),

        put: (key, body, askedAt) =>
          isLongerThan(body.text, largestBody)
            ? Effect.void
            : Effect.catch(
              Effect.suspend(() =>
                store({ key, body, call: findCall(key, body, askedAt), created_at: new Date(askedAt) })
              ),
              // The caller has its answer; the next one waits a little longer for its own.
              (error) => Effect.logWarning("A response could not be cached", error)
            ),

        drop: (connection) =>
          Effect.orDie(
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              drop({ connection_id: connection, dropped_at: new Date(now) }))
          ),

        droppedSince: Effect.fnUntraced(function*(connection, millis) {
          const drops = yield* sql`
            SELECT FROM response_drops WHERE connection_id = ${connection} AND dropped_at >= ${new Date(millis)}`
          return drops.length > 0
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide(LoggedData.layer))
}
