import { Clock, DateTime, Duration, Effect, Schedule } from "effect"
import { SqlClient } from "effect/unstable/sql"

const day = Duration.toMillis("1 day")

/** How many days ahead there are partitions, so that a night without a sweep loses no call. */
const daysAhead = 7

/** Any constant, the same in every instance. */
const advisoryLock = 7_226_915

const partition = (start: number) =>
  `calls_${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(start)).replaceAll("-", "")}`

/**
 * Keeps the log's partitions, one a UTC day: makes those of the coming days, drops those that are older than
 * `retention`. At once, and then every hour; one instance at a time.
 */
export const retainCalls = Effect.fnUntraced(function*(retention: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient

  const sweep = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const today = Math.floor(now / day) * day
    yield* sql`SELECT pg_advisory_xact_lock(${advisoryLock}::bigint)`
    const existing = yield* sql<{ readonly name: string }>`
      SELECT child.relname AS name FROM pg_inherits
      JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = 'calls'::regclass`
    const names = new Set(existing.map(({ name }) => name))

    // Yesterday's too: a call that began before midnight, or by a clock that is behind.
    for (let start = today - day; start <= today + daysAhead * day; start += day) {
      if (names.has(partition(start))) continue
      yield* sql`
        CREATE TABLE ${sql(partition(start))} PARTITION OF calls
        FOR VALUES FROM (${sql.literal(quoted(start))}) TO (${sql.literal(quoted(start + day))})`
    }

    const oldest = partition(now - Duration.toMillis(retention) - day)
    for (const name of names) {
      if (name < oldest) yield* sql`DROP TABLE ${sql(name)}`
    }
  }).pipe(sql.withTransaction)

  yield* sweep
  yield* sweep.pipe(
    Effect.catch((error) => Effect.logWarning("The log's partitions could not be swept", error)),
    Effect.schedule(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
})

const quoted = (millis: number): string => `'${DateTime.formatIso(DateTime.makeUnsafe(millis))}'`
