import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql"
import type { KeyId } from "../Domain/Ids.ts"
import { array, textArray } from "../Sql/BulkInsert.ts"

export interface Counted {
  /** The number of the request in its window, from 1. */
  readonly requests: number
  readonly millisLeft: number
}

/** Counts one request for each entry of `keys`, which may contain a key several times. */
export const countRequests = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  window: Duration.Duration,
  keys: ReadonlyArray<KeyId>
) {
  const taken = new Map<KeyId, number>()
  const places = keys.map((key) => {
    const place = (taken.get(key) ?? 0) + 1
    taken.set(key, place)
    return { key, place }
  })
  const now = yield* Clock.currentTimeMillis
  const ended = new Date(now - Duration.toMillis(window))
  // Ordered by key, so that concurrent instances lock the rows in the same order and do not deadlock.
  const rows = yield* sql<{ readonly key: KeyId; readonly startedAt: Date; readonly requests: number }>`
    INSERT INTO rate_limits AS held (key_id, started_at, requests)
    SELECT key, ${new Date(now)}::timestamptz, count
    FROM unnest(${textArray([...taken.keys()])}, ${array([...taken.values()], PgTypes.OID.int4)})
      AS taken (key, count)
    ORDER BY key COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET
      requests = excluded.requests + CASE WHEN held.started_at > ${ended} THEN held.requests ELSE 0 END,
      started_at = CASE WHEN held.started_at > ${ended} THEN held.started_at ELSE excluded.started_at END
    RETURNING key_id AS key, started_at AS "startedAt", requests`

  const held = new Map(rows.map((row) => [row.key, row]))
  return places.map(({ key, place }): Exit.Exit<Counted> => {
    const { requests = 0, startedAt = ended } = held.get(key) ?? {}
    return Exit.succeed({
      requests: requests - (taken.get(key) ?? 0) + place,
      millisLeft: startedAt.getTime() - ended.getTime()
    })
  })
})
