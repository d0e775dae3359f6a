import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type LockName, withLockIfFree } from "./AdvisoryLock.ts"

interface SweepOptions {
  readonly lock: LockName
  /** What is deleted, for the operator's log. */
  readonly what: string
  /** Rows that one statement deletes at most, to keep statements short. */
  readonly batch: number
  /** Deletes a batch of what is old at `now`, in epoch milliseconds. Returns the number of rows. */
  readonly deleteBatch: (now: number) => Effect.Effect<number, SqlError>
}

/** Deletes old rows at the start and every hour, one instance at a time. */
export const sweepHourly = Effect.fnUntraced(function*({ batch, deleteBatch, lock, what }: SweepOptions) {
  const sql = yield* SqlClient.SqlClient
  yield* withLockIfFree(lock, Effect.flatMap(Clock.currentTimeMillis, deleteBatch), 0).pipe(
    Effect.repeat({ until: (deleted) => deleted < batch }),
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.catch((error) => Effect.logWarning(`Old ${what} could not be deleted`, error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})
