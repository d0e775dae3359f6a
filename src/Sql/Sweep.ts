import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type AdvisoryLock, withLockIfFree } from "./AdvisoryLock.ts"

interface Sweep {
  readonly lock: AdvisoryLock
  readonly what: string
}

interface BatchSweep extends Sweep {
  readonly batch: number
  /** `now` is in epoch milliseconds. Returns the number of deleted rows. */
  readonly deleteBatch: (now: number) => Effect.Effect<number, SqlError>
}

interface TableSweep extends Sweep {
  readonly table: string
  readonly batch?: number
  readonly isOld: (now: Date) => Fragment
}

export const sweepHourly = Effect.fnUntraced(function*({ batch, deleteBatch, lock, what }: BatchSweep) {
  const sql = yield* SqlClient.SqlClient
  yield* withLockIfFree(lock, Effect.flatMap(Clock.currentTimeMillis, deleteBatch), 0).pipe(
    Effect.repeat({ until: (deleted) => deleted < batch }),
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.catch((error) => Effect.logWarning(`Old ${what} could not be deleted`, error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})

/** Deletes the old rows of one table. */
export const sweepTable = Effect.fnUntraced(function*({ batch = 1000, isOld, table, ...sweep }: TableSweep) {
  const sql = yield* SqlClient.SqlClient
  yield* sweepHourly({
    ...sweep,
    batch,
    deleteBatch: (now) =>
      Effect.map(
        sql`
          DELETE FROM ${sql(table)} WHERE ctid IN (
            SELECT ctid FROM ${sql(table)} WHERE ${isOld(new Date(now))} LIMIT ${batch}
          ) RETURNING 1 AS deleted`,
        ({ length }) => length
      )
  })
})
