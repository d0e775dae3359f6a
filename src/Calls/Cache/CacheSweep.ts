import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { sweepHourly } from "../../Sql/Sweep.ts"

const lock = advisoryLock("responses", 7_226_916)

const batch = 5000

/** Skips rows that other instances write. Otherwise each could wait for the other's rows, a deadlock. */
export const sweepResponses = Effect.fnUntraced(function* sweepResponses(retention: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient

  yield* sweepHourly({
    lock,
    what: "responses",
    batch,
    deleteBatch: Effect.fnUntraced(function* deleteBatch(now) {
      const oldest = new Date(now - Duration.toMillis(retention))
      const responses = yield* sql`
        DELETE FROM responses WHERE (connection_id, request_hash) IN (
          SELECT connection_id, request_hash FROM responses WHERE created_at < ${oldest} LIMIT ${batch}
          FOR UPDATE SKIP LOCKED
        ) RETURNING 1 AS deleted`
      const drops = yield* sql`
        DELETE FROM response_drops WHERE connection_id IN (
          SELECT connection_id FROM response_drops WHERE dropped_at < ${oldest} LIMIT ${batch}
          FOR UPDATE SKIP LOCKED
        ) RETURNING 1 AS deleted`
      return Math.max(responses.length, drops.length)
    })
  })
})
