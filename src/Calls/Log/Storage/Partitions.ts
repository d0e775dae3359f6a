import { Clock, DateTime, Duration, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLock, withLock, withLockIfFree } from "../../../Sql/AdvisoryLock.ts"
import { day, type LogTable, partitionOf, startOfDay } from "./LogDay.ts"

const lock = advisoryLock("partitions", 7_226_915)

const daysAhead = 7

/**
 * Creates the partitions of the coming days and drops those older than `retention`, at the start and every hour, one
 * instance at a time. A partition with calls that `copied` does not have yet stays until `copied.retention`.
 */
export const keepPartitions = Effect.fnUntraced(function*(
  table: LogTable,
  retention: Duration.Duration,
  copied?: {
    readonly retention: Duration.Duration
    readonly until: Effect.Effect<number, SqlError, SqlClient.SqlClient>
  }
) {
  const sql = yield* SqlClient.SqlClient

  const existing = Effect.map(
    sql<{ readonly name: string }>`
      SELECT child.relname AS name FROM pg_inherits
      JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = ${table}::text::regclass`,
    (rows) => new Set(rows.map(({ name }) => name))
  )

  const make = Effect.gen(function*() {
    const today = startOfDay(yield* Clock.currentTimeMillis)
    const names = yield* existing
    // Includes yesterday, for calls that began before midnight and for slow clocks.
    for (let start = today - day; start <= today + daysAhead * day; start += day) {
      const name = partitionOf(start, table)
      if (names.has(name)) continue
      // CREATE TABLE … PARTITION OF would block calls while a reader of the log runs. ATTACH does not.
      yield* sql`CREATE TABLE ${sql(name)} (LIKE ${sql(table)} INCLUDING ALL)`
      yield* sql`
        ALTER TABLE ${sql(table)} ATTACH PARTITION ${sql(name)}
        FOR VALUES FROM (${sql.literal(quoted(start))}) TO (${sql.literal(quoted(start + day))})`
    }
  })

  const drop = Effect.fnUntraced(function*(name: string) {
    // While this waits for a long reader, such as a backup, all calls wait.
    yield* sql`SET LOCAL lock_timeout = '200ms'`
    yield* sql`DROP TABLE IF EXISTS ${sql(name)}`
  })

  const sweep = Effect.gen(function*() {
    yield* withLock(lock, make)
    const now = yield* Clock.currentTimeMillis
    const since = (kept: Duration.Duration) => now - Duration.toMillis(kept) - day
    const oldest = copied === undefined
      ? since(retention)
      : Math.max(since(copied.retention), Math.min(since(retention), yield* copied.until))
    const old = [...(yield* existing)].filter((name) => name < partitionOf(oldest, table))
    yield* Effect.forEach(old, (name) => withLockIfFree(lock, drop(name), undefined), { discard: true }).pipe(
      Effect.catch((error) => Effect.logWarning("The oldest calls could not be dropped yet", error))
    )
  })

  yield* sweep
  yield* sweep.pipe(
    Effect.catch((error) => Effect.logWarning("The log's partitions could not be swept", error)),
    Effect.schedule(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})

const quoted = (millis: number): string => `'${DateTime.formatIso(DateTime.makeUnsafe(millis))}'`
