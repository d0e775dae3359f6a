import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"

/** The instances on one database share a lock by its number, which is the same in every version of the service. */
export interface AdvisoryLock {
  readonly name: string
  readonly number: number
}

/** The number comes from the name, except for the locks of the first versions. */
export const advisoryLock = (
  name: string,
  number = Number.parseInt(hash("sha256", name).slice(0, 13), 16)
): AdvisoryLock => ({ name, number })

export const withLock = <A, E, R>(
  { number }: AdvisoryLock,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${number}::bigint)`, effect))
  )

/** Waits for the member's lock of this name, and holds it until the transaction ends. */
export const lockOfMember = (sql: SqlClient.SqlClient, name: string, memberId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${name} ${memberId}`}, 0))`

export const withLockIfFree = <A, E, R>(
  { number }: AdvisoryLock,
  effect: Effect.Effect<A, E, R>,
  otherwise: A
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.flatMap(
      sql`SELECT 1 WHERE pg_try_advisory_xact_lock(${number}::bigint)`,
      ({ length }) => length === 1 ? effect : Effect.succeed(otherwise)
    )))
