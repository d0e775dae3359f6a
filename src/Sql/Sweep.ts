import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type LockName, withLockIfFree } from "./AdvisoryLock.ts"

interface SweepOptions {
  readonly lock: LockName
  readonly what: string
  readonly batch: number
  /** `now` is in epoch milliseconds. Returns the number of deleted rows. */
  readonly deleteBatch: (now: number) => Effect.Effect<number, SqlError>
}

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
