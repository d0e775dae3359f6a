import { Cache, Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/unstable/sql"

/**
 * Moves `last_used_at` of a row with use, written at most once in `every` by all instances together. That it could not
 * be written is the operator's business, not the caller's.
 */
export const lastUsed = Effect.fnUntraced(function*(table: "keys" | "connections", every: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const touched = yield* Cache.make({
    capacity: 10_000,
    timeToLive: every,
    lookup: Effect.fnUntraced(function*(id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* sql`
        UPDATE ${sql(table)} SET last_used_at = ${new Date(now)}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(now - Duration.toMillis(every))})`
        .pipe(
          Effect.catch((error) => Effect.logWarning(`last_used_at of ${id} could not be written`, error))
        )
    })
  })
  return (id: string) => Cache.get(touched, id)
})
