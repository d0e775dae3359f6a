import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLock } from "../Sql/AdvisoryLock.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { array, textArray } from "../Sql/BulkStatement.ts"
import { sweepTable } from "../Sql/Sweep.ts"

const lock = advisoryLock("requestCounts", 7_226_923)

export interface Counted {
  /** The requests of the window, this one and rejected ones included. */
  readonly requests: number
  readonly millisLeft: number
}

/**
 * Counts requests across all instances, in windows that start with the first request. Effect's `RateLimiter` cannot give
 * a request back, and its stores get a refill rate instead of a window.
 */
export class RequestCounts extends Context.Service<RequestCounts, {
  /** Concurrent requests share a statement. A subject has the same window each time. */
  readonly add: (subject: string, window: Duration.Duration) => Effect.Effect<Counted, SqlError>
  readonly giveBack: (subjects: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
}>()("openaccounts/Capacity/RequestCounts") {
  static readonly layer = Layer.effect(
    RequestCounts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      yield* sweepTable({
        lock,
        what: "counts of requests",
        table: "request_counts",
        isOld: (now) => sql`ends_at <= ${now}`
      })

      const add = yield* makeBatcher((requests: ReadonlyArray<Request>) =>
        Effect.tapError(
          count(sql, requests),
          (error) => Effect.logWarning("Could not count requests; the rate limit lets them pass", error)
        )
      )

      return RequestCounts.of({
        add: (subject, window) => add({ subject, windowMillis: Duration.toMillis(window) }),
        giveBack: (subjects) =>
          subjects.length === 0 ? Effect.void : Effect.asVoid(sql`
            UPDATE request_counts SET requests = requests - 1
            WHERE subject IN (
              SELECT subject FROM request_counts WHERE ${sql.in("subject", subjects)} AND requests > 0
              ORDER BY subject FOR UPDATE
            )`)
      })
    })
  )
}

interface Request {
  readonly subject: string
  readonly windowMillis: number
}

const count = Effect.fnUntraced(function* count(sql: SqlClient.SqlClient, requests: ReadonlyArray<Request>) {
  const now = yield* Clock.currentTimeMillis
  const added = new Map<string, { readonly endsAt: Date; requests: number }>()
  const places = requests.map(({ subject, windowMillis }) => {
    const entry = added.get(subject) ?? { endsAt: new Date(now + windowMillis), requests: 0 }
    added.set(subject, entry)
    return ++entry.requests
  })
  const entries = [...added.values()]
  // Ordered, so that concurrent instances do not deadlock.
  const rows = yield* sql<{ readonly subject: string; readonly endsAt: Date; readonly requests: number }>`
    INSERT INTO request_counts AS held (subject, ends_at, requests)
    SELECT subject, ends_at, requests
    FROM unnest(
      ${textArray([...added.keys()])},
      ${array(entries.map(({ endsAt }) => endsAt), PgTypes.OID.timestamptz)},
      ${array(entries.map(({ requests }) => requests), PgTypes.OID.int4)}
    ) AS added (subject, ends_at, requests)
    ORDER BY subject COLLATE "C"
    ON CONFLICT (subject) DO UPDATE SET
      requests = excluded.requests + CASE WHEN held.ends_at > ${new Date(now)} THEN held.requests ELSE 0 END,
      ends_at = CASE WHEN held.ends_at > ${new Date(now)} THEN held.ends_at ELSE excluded.ends_at END
    RETURNING subject, ends_at AS "endsAt", requests`

  const held = new Map(rows.map((row) => [row.subject, row]))
  return requests.map(({ subject }, index): Exit.Exit<Counted> => {
    const { endsAt, requests: after } = held.get(subject) ?? { endsAt: new Date(now), requests: 0 }
    const before = after - (added.get(subject)?.requests ?? 0)
    return Exit.succeed({ requests: before + (places[index] ?? 0), millisLeft: endsAt.getTime() - now })
  })
})
