import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql"
import type { RateSubject } from "../Domain/Principal.ts"
import { array, textArray } from "../Sql/BulkStatement.ts"

export interface Counted {
  readonly requests: number
  readonly millisLeft: number
}

export const countRequests = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  window: Duration.Duration,
  subjects: ReadonlyArray<RateSubject>
) {
  const taken = new Map<RateSubject, number>()
  const places = subjects.map((subject) => {
    const place = (taken.get(subject) ?? 0) + 1
    taken.set(subject, place)
    return { subject, place }
  })
  const now = yield* Clock.currentTimeMillis
  const ended = new Date(now - Duration.toMillis(window))
  // Ordered, so that concurrent instances do not deadlock.
  const rows = yield* sql<{ readonly subject: RateSubject; readonly startedAt: Date; readonly requests: number }>`
    INSERT INTO rate_limits AS held (key_id, started_at, requests)
    SELECT subject, ${new Date(now)}::timestamptz, count
    FROM unnest(${textArray([...taken.keys()])}, ${array([...taken.values()], PgTypes.OID.int4)})
      AS taken (subject, count)
    ORDER BY subject COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET
      requests = excluded.requests + CASE WHEN held.started_at > ${ended} THEN held.requests ELSE 0 END,
      started_at = CASE WHEN held.started_at > ${ended} THEN held.started_at ELSE excluded.started_at END
    RETURNING key_id AS subject, started_at AS "startedAt", requests`

  const held = new Map(rows.map((row) => [row.subject, row]))
  return places.map(({ place, subject }): Exit.Exit<Counted> => {
    const { requests = 0, startedAt = ended } = held.get(subject) ?? {}
    return Exit.succeed({
      requests: requests - (taken.get(subject) ?? 0) + place,
      millisLeft: startedAt.getTime() - ended.getTime()
    })
  })
})
