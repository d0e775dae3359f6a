import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { firstIdAt } from "../../Domain/NewId.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { sweepHourly } from "../../Sql/Sweep.ts"

const lock = advisoryLock("events", 7_226_930)

const retention = Duration.days(30)

const batch = 1000

export const sweepDeliveries = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sweepHourly({
    lock,
    what: "events",
    batch,
    deleteBatch: (now) => {
      const oldest = firstIdAt("evt", now - Duration.toMillis(retention))
      return Effect.map(
        sql`
          WITH
            old AS (
              SELECT id FROM events
              WHERE id < ${oldest} AND NOT EXISTS (
                SELECT FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
                WHERE event_id = events.id AND status = 'pending'
              )
              LIMIT ${batch}
            ),
            delivered AS (DELETE FROM deliveries WHERE event_id IN (SELECT id FROM old))
          DELETE FROM events WHERE id IN (SELECT id FROM old) RETURNING 1 AS deleted`,
        ({ length }) => length
      )
    }
  })
})
