import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Moves `last_used_at` of a row with use, written at most once in `every` by all instances together. That it could not
 * be written is the operator's business, not the caller's.
 */
export const lastUsed = Effect.fnUntraced(function*(table: "keys" | "connections", every: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const interval = Duration.toMillis(every)
  /** When this instance last wrote, in epoch milliseconds; there are as many as there are rows. */
  const writtenAt = new Map<string, number>()

  const write = (id: string, now: number) =>
    sql`
      UPDATE ${sql(table)} SET last_used_at = ${new Date(now)}
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(now - interval)})`.pipe(
      Effect.catch((error) => Effect.logWarning(`last_used_at of ${id} could not be written`, error)),
      Effect.asVoid
    )

  return (id: string): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      if (now < (writtenAt.get(id) ?? -Infinity) + interval) return Effect.void
      writtenAt.set(id, now)
      return write(id, now)
    })
})
