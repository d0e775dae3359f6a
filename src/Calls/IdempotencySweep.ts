import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { withLockIfFree } from "../Sql/AdvisoryLock.ts"

/** Rows that are deleted in one statement. */
const batch = 1000

/** Deletes keys whose time is over: at once, and then every hour. */
export const sweepKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const sweepBatch = Effect.gen(function*() {
    const now = new Date(yield* Clock.currentTimeMillis)
    const deleted = yield* sql`
      DELETE FROM idempotency_keys WHERE (member_id, key_hash) IN (
        SELECT member_id, key_hash FROM idempotency_keys
        WHERE kept_until <= ${now} AND coalesce(leased_until <= ${now}, true) LIMIT ${batch}
      ) AND kept_until <= ${now} RETURNING 1 AS deleted`
    return deleted.length
  })

  yield* withLockIfFree("idempotencyKeys", sweepBatch, 0).pipe(
    Effect.repeat({ until: (deleted) => deleted < batch }),
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.catch((error) => Effect.logWarning("Old idempotency keys could not be swept", error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})
