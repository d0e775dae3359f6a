import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLock, withLockIfFree } from "../../../Sql/AdvisoryLock.ts"
import { textArray } from "../../../Sql/BulkStatement.ts"
import { MayTakeLong } from "../../../Sql/Timeout.ts"
import { day, hour } from "../Storage/LogDay.ts"
import { dailyFigures, hourlyFigures, insertFigures, isOneOf, loggedCalls, maxLate } from "./StatsRows.ts"

const lock = advisoryLock("callStats", 7_226_919)

/** How long after its end an hour is summed, in milliseconds. Later calls are in `late_calls`. */
const grace = Duration.toMillis("5 minutes")

const statsRetention = 92 * day

const statementTimeout = "10min"

/**
 * Counts each hour once after its end, on one instance, in one transaction with its progress. A call counts exactly
 * once: with its hour, or from `late_calls`.
 */
export const rollUp = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const nextHour = Effect.fnUntraced(function*(now: number) {
    const [progress] = yield* sql<{ readonly next: Date }>`
      SELECT coalesce(
        counted_until,
        date_trunc('hour', (
          SELECT min(created_at) FROM (
            SELECT min(created_at) AS created_at FROM calls UNION ALL SELECT min(created_at) FROM refused_calls
          ) AS first
        ), 'UTC'),
        date_trunc('hour', ${new Date(now)}::timestamptz, 'UTC')
      ) AS next
      FROM call_stats_progress FOR UPDATE OF call_stats_progress`
    return Math.max(progress?.next.getTime() ?? now, Math.floor((now - statsRetention) / day) * day)
  })

  const countHour = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const start = yield* nextHour(now)
    const end = start + hour
    if (end + grace > now) return false
    yield* sql`SET LOCAL statement_timeout = ${sql.literal(`'${statementTimeout}'`)}`
    const [from, to] = [new Date(start), new Date(end)]
    const notLate = sql`created_at >= ${from} AND created_at < ${to} AND NOT EXISTS (
      SELECT FROM late_calls WHERE late_calls.id = calls.id
    )`
    yield* insertFigures(sql, hourlyFigures(sql, loggedCalls(sql, notLate)))
    for (let last: string | undefined = ""; last !== undefined;) last = yield* countLate(to, last)
    if (end % day === 0) {
      const dayStart = new Date(end - day)
      yield* insertFigures(
        sql,
        dailyFigures(
          sql,
          sql`(SELECT * FROM call_stats WHERE hours = 1 AND started_at >= ${dayStart} AND started_at < ${to}) AS hourly`
        )
      )
    }
    yield* sql`UPDATE call_stats_progress SET counted_until = ${to}`
    return true
  })

  /** Returns the id of the last call that it has looked for, `undefined` if there is none. */
  const countLate = Effect.fnUntraced(function*(to: Date, after: string) {
    const announced = yield* sql<{ readonly id: string }>`
      SELECT id FROM late_calls WHERE created_at < ${to} AND id > ${after} ORDER BY id LIMIT ${maxLate}`
    const last = announced.at(-1)
    if (last === undefined) return undefined
    const logged = yield* sql<{ readonly id: string }>`
      SELECT id FROM ${loggedCalls(sql, isOneOf(sql, announced.map(({ id }) => id)))}`
    const late = logged.map(({ id }) => id)
    const hourly = hourlyFigures(sql, loggedCalls(sql, isOneOf(sql, late)))
    const today = new Date(Math.floor((to.getTime() - 1) / day) * day)
    yield* insertFigures(sql, hourly)
    yield* insertFigures(
      sql,
      dailyFigures(sql, sql`(SELECT * FROM (${hourly}) AS late WHERE started_at < ${today}) AS hourly`)
    )
    yield* sql`DELETE FROM late_calls WHERE id = ANY(${textArray(late)})`
    return last.id
  })

  const forget = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    yield* sql`DELETE FROM call_stats WHERE started_at < ${new Date(now - statsRetention)}`
    yield* sql`DELETE FROM late_calls WHERE announced_at < now() - interval '1 day'`
  })

  return yield* withLockIfFree(lock, countHour, false).pipe(
    Effect.provideService(MayTakeLong, true),
    Effect.repeat({ while: (counted) => counted }),
    Effect.andThen(forget)
  )
})

export const StatsRollUp = Layer.effectDiscard(rollUp.pipe(
  Effect.catch((error) =>
    Effect.logWarning("The statistics could not be brought up to date; the next attempt counts the calls", error)
  ),
  Effect.repeat(Schedule.spaced("1 minute")),
  Effect.forkScoped
))
