import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sweepHourly } from "../../Sql/Sweep.ts"

const batch = 1000

export const sweepKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sweepHourly({
    lock: "idempotencyKeys",
    what: "idempotency keys",
    batch,
    deleteBatch: (millis) => {
      const now = new Date(millis)
      return Effect.map(
        sql`
          DELETE FROM idempotency_keys WHERE (member_id, key_hash) IN (
            SELECT member_id, key_hash FROM idempotency_keys
            WHERE kept_until <= ${now} AND coalesce(leased_until <= ${now}, true) LIMIT ${batch}
          ) AND kept_until <= ${now} RETURNING 1 AS deleted`,
        ({ length }) => length
      )
    }
  })
})
