import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** Arbitrary numbers, the same in every version of the service. */
const locks = {
  migrations: 7_226_914,
  partitions: 7_226_915,
  responses: 7_226_916,
  idempotencyKeys: 7_226_918,
  callStats: 7_226_919,
  admins: 7_226_920,
  sessions: 7_226_921,
  links: 7_226_922,
  requestCounts: 7_226_923,
  quotas: 7_226_924,
  oauthTokens: 7_226_927,
  oauthClients: 7_226_928,
  oauthClientDocuments: 7_226_929,
  events: 7_226_930,
  results: 7_226_931,
  undoRecords: 7_226_940,
  approvals: 7_226_941,
  logKeys: 7_226_942
}

export type LockName = keyof typeof locks

export const withLock = <A, E, R>(
  lock: LockName,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${locks[lock]}::bigint)`, effect))
  )

export const withLockIfFree = <A, E, R>(
  lock: LockName,
  effect: Effect.Effect<A, E, R>,
  otherwise: A
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.flatMap(
      sql`SELECT 1 WHERE pg_try_advisory_xact_lock(${locks[lock]}::bigint)`,
      ({ length }) => length === 1 ? effect : Effect.succeed(otherwise)
    )))
