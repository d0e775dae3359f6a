import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

const AfterCommit = Context.Reference<Array<Effect.Effect<void>> | undefined>("openaccounts/Sql/AfterCommit", {
  defaultValue: () => undefined
})

/** `change` must not send requests: the embedded database has a single connection. SQL errors are defects. */
export const inTransaction = (sql: SqlClient.SqlClient) => {
  const transaction = <A, E, R>(change: Effect.Effect<A, E | SqlError, R>) =>
    Effect.catchIf(sql.withTransaction(change), isSqlError, Effect.die)

  return <A, E, R>(change: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
    Effect.flatMap(AfterCommit, (outer) => {
      if (outer !== undefined) return transaction(change)
      const waiting: Array<Effect.Effect<void>> = []
      return Effect.uninterruptibleMask((restore) =>
        Effect.tap(
          transaction(restore(Effect.provideService(change, AfterCommit, waiting))),
          () => Effect.all(waiting, { discard: true })
        )
      )
    })
}

export const afterCommit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(
    AfterCommit,
    (waiting) => waiting === undefined ? effect : Effect.sync(() => void waiting.push(effect))
  )
