import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

const AfterCommit = Context.Reference<Array<Effect.Effect<void>> | undefined>("openaccounts/Sql/AfterCommit", {
  defaultValue: () => undefined
})

/** `change` must not send requests: the embedded database has a single connection. */
export const inTransactionOrFail =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(change: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.flatMap(AfterCommit, (outer) => {
      if (outer !== undefined) return sql.withTransaction(change)
      const waiting: Array<Effect.Effect<void>> = []
      return Effect.uninterruptibleMask((restore) =>
        Effect.tap(
          sql.withTransaction(restore(Effect.provideService(change, AfterCommit, waiting))),
          () => Effect.all(waiting, { discard: true })
        )
      )
    })

/** SQL errors are defects. */
export const inTransaction = (sql: SqlClient.SqlClient) => {
  const transaction = inTransactionOrFail(sql)
  const orDie = <A, E, R>(change: Effect.Effect<A, E | SqlError, R>) =>
    Effect.catchIf(transaction(change), isSqlError, Effect.die)
  return <A, E, R>(change: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
    orDie(change)
}

export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(
    AfterCommit,
    (waiting) => waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect))
  )
