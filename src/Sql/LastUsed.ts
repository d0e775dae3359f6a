import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Sets `last_used_at` at most once per `interval`, across all instances. Logs failures only. */
export const lastUsed = Effect.fnUntraced(
  function*(table: string, interval: Duration.Duration) {
    const sql = yield* SqlClient.SqlClient
    const millis = Duration.toMillis(interval)
    const writes = new Map<string, number>()

    const write = (id: string, now: number) =>
      sql`
      UPDATE ${sql(table)} SET last_used_at = ${new Date(now)}
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${new Date(now - millis)})`.pipe(
        Effect.catch((error) => Effect.logWarning(`Could not write last_used_at of ${id}`, error)),
        Effect.asVoid
      )

    return (id: string): Effect.Effect<void> =>
      Effect.clockWith((clock) => {
        const now = clock.currentTimeMillisUnsafe()
        if (now < (writes.get(id) ?? -Infinity) + millis) return Effect.void
        for (const [oldest, writtenAt] of writes) {
          if (now < writtenAt + millis) break
          writes.delete(oldest)
        }
        writes.set(id, now)
        return write(id, now)
      })
  }
)
