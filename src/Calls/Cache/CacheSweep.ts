import { Clock, Duration, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { withLockIfFree } from "../../Sql/AdvisoryLock.ts"

/** Rows deleted by one statement. Keeps statements short. */
const batch = 5000

/** Deletes responses and drops older than `retention`, at the start and every hour. */
export const sweepResponses = Effect.fnUntraced(function*(retention: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient

  const sweepBatch = Effect.gen(function*() {
    const oldest = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(retention))
    const responses = yield* sql`
      DELETE FROM responses WHERE (connection_id, request_hash) IN (
        SELECT connection_id, request_hash FROM responses WHERE created_at < ${oldest} LIMIT ${batch}
      ) RETURNING 1 AS deleted`
    const drops = yield* sql`
      DELETE FROM response_drops WHERE connection_id IN (
        SELECT connection_id FROM response_drops WHERE dropped_at < ${oldest} LIMIT ${batch}
      ) AND dropped_at < ${oldest} RETURNING 1 AS deleted`
    return Math.max(responses.length, drops.length)
  })

  const sweep = withLockIfFree("responses", sweepBatch, 0).pipe(
    Effect.repeat({ until: (deleted) => deleted < batch }),
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  yield* sweep.pipe(
    Effect.catch((error) => Effect.logWarning("Old responses could not be swept", error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})
