import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** Any constants, the same in every instance. */
const locks = { migrations: 7_226_914, partitions: 7_226_915, responses: 7_226_916 }

/** In a transaction, one instance after the other. */
export const withLock = <A, E, R>(
  work: keyof typeof locks,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${locks[work]}::bigint)`, effect))
  )

/** In a transaction, unless another instance is at it: then `otherwise`. */
export const withLockIfFree = <A, E, R>(
  work: keyof typeof locks,
  effect: Effect.Effect<A, E, R>,
  otherwise: A
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.flatMap(
      sql<{ readonly free: boolean }>`SELECT pg_try_advisory_xact_lock(${locks[work]}::bigint) AS free`,
      ([lock]) => lock?.free === true ? effect : Effect.succeed(otherwise)
    )))
