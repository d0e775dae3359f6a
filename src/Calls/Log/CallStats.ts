import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Viewer } from "../../Domain/Access/Principal.ts"
import { maxStatsBuckets, type Stats, statsFields, type StatsRequest } from "../../Domain/Calls/Stats.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { visibleTo } from "./CallPages.ts"
import { percentilesOf } from "./Stats/Latency.ts"
import { figures, isOneOf, loggedCalls, maxLate } from "./Stats/StatsRows.ts"
import { isCallOf, statsScope } from "./StatsScope.ts"
import { day, hour } from "./Storage/LogDay.ts"

/** Epoch milliseconds. `to` is exclusive. */
interface Period {
  readonly from: number
  readonly to: number
}

interface Progress {
  readonly countedUntil: Date | null
  readonly late: ReadonlyArray<string>
}

/** Figures of one bucket and value, or of a part of them. */
export interface StatsRow {
  readonly start: Date | null
  readonly value: string
  readonly calls: number
  readonly errors: number
  readonly refused: number
  readonly cached: number
  readonly cost: number
  /** Comma-separated numbers: pairs of a bucket of latencies and its number of calls. */
  readonly latencies: string
}

interface Row extends StatsRow {
  readonly countedUntil: Date | null
}

/** The first buckets, in order, and one more than `maxStatsBuckets` if there are more. */
export const callStats = (sql: SqlClient.SqlClient) => {
  const readOnce = Effect.fnUntraced(function*(
    viewer: Viewer,
    { bucket, group, group_by, only, ...request }: StatsRequest
  ) {
    const [since, until] = [request.since.getTime(), request.until.getTime()]
    const [progress] = yield* sql<Progress>`
      SELECT counted_until AS "countedUntil", ARRAY(
        SELECT id FROM late_calls WHERE created_at < counted_until ORDER BY id LIMIT ${maxLate}
      ) AS late FROM call_stats_progress`
    const late = progress?.late ?? []
    const counted = progress?.countedUntil?.getTime() ?? -Infinity

    const { isStored, notStored, stored } = statsScope(sql, viewer, { group, group_by, only })
    const isOfGroup = group === undefined || group_by === undefined
      ? sql`true`
      : sql`${sql(statsFields[group_by])} = ${group}`
    const isIn = (hours: 1 | 24, { from, to }: Period) =>
      sql`hours = ${hours}::smallint AND started_at >= ${new Date(from)} AND started_at < ${new Date(to)}`

    const lastEnd = Effect.fnUntraced(function*([period]: ReadonlyArray<Period>) {
      if (period === undefined) return until
      const firsts = stored.map(({ scopes, value, which }) =>
        sql`
          SELECT first.* FROM (SELECT DISTINCT unnest(${textArray(scopes)}) AS scope) AS one
          CROSS JOIN LATERAL (
            SELECT DISTINCT started_at AS start, ${value} AS value FROM call_stats
            WHERE call_stats.scope = one.scope AND ${which} AND ${isIn(bucket === "day" ? 24 : 1, period)}
            ORDER BY 1, 2 LIMIT ${maxStatsBuckets + 1}
          ) AS first`
      )
      const [last] = yield* sql<{ readonly start: Date }>`
        SELECT start FROM (${firsts.reduce((all, part) => sql`${all} UNION ${part}`)}) AS bucket
        GROUP BY start, value ORDER BY start, value OFFSET ${maxStatsBuckets} LIMIT 1`
      return last === undefined ? until : Math.min(until, last.start.getTime() + (bucket === "day" ? day : hour))
    })

    const whole = split(since, until, counted, bucket)
    const end = yield* lastEnd(bucket === "day" ? whole.days : whole.hours)
    const periods = split(since, end, counted, bucket)
    const ofRows = (period: Period, hours: 1 | 24): ReadonlyArray<Fragment> =>
      stored.map(({ scopes, value, which }) =>
        sql`
          SELECT date_trunc(${
          sql.literal(`'${bucket}'`)
        }, started_at, 'UTC') AS start, ${value} AS value, calls, errors, refused, cached, cost_usd,
            array_to_string(latencies, ',') AS latencies
          FROM call_stats WHERE scope = ANY(${textArray(scopes)}) AND ${which} AND ${isIn(hours, period)}`
      )
    const within = ({ from, to }: Period) => sql`created_at >= ${new Date(from)} AND created_at < ${new Date(to)}`
    const ofCalls = (which: Fragment): Fragment =>
      sql`
        SELECT start, value, calls, errors, refused, cached, cost_usd, latency || ',' || calls AS latencies FROM (
          SELECT date_trunc(${sql.literal(`'${bucket}'`)}, created_at, 'UTC') AS start,
            coalesce(${group_by === undefined ? sql`NULL` : sql(statsFields[group_by])}, '') AS value, latency, ${
        figures(sql)
      }
          FROM ${
        loggedCalls(sql, sql`${which} AND ${isCallOf(sql, only)} AND ${isOfGroup} AND ${visibleTo(sql, viewer)}`)
      }
          GROUP BY 1, 2, 3
        ) AS counted`

    const notCounted = [
      ...(late.length === 0 ? [] : [sql`${isOneOf(sql, late)} AND ${isStored}`]),
      ...(notStored === undefined ? [] : [notStored])
    ]
    const parts = [
      ...periods.days.flatMap((period) => ofRows(period, 24)),
      ...periods.hours.flatMap((period) => ofRows(period, 1)),
      ...periods.calls.map((period) => ofCalls(within(period))),
      ...[...periods.days, ...periods.hours].flatMap((period) =>
        notCounted.map((which) => ofCalls(sql`${within(period)} AND ${which}`))
      )
    ]
    const rows = yield* sql<Row>`
      SELECT (SELECT counted_until FROM call_stats_progress) AS "countedUntil", bucket.*
      FROM (VALUES (1)) AS one LEFT JOIN (
        SELECT start, value, sum(calls)::double precision AS calls, sum(errors)::double precision AS errors,
          sum(refused)::double precision AS refused, sum(cached)::double precision AS cached,
          sum(cost_usd)::double precision AS cost, string_agg(latencies, ',') AS latencies
        FROM (${parts.reduce((all, part) => sql`${all} UNION ALL ${part}`)}) AS part
        GROUP BY start, value ORDER BY start, value LIMIT ${maxStatsBuckets + 1}
      ) AS bucket ON true
      ORDER BY start, value`
    const isSame = (rows[0]?.countedUntil?.getTime() ?? -Infinity) === counted
    return isSame ? rows : undefined
  })

  return Effect.fn("CallLog.stats")(function*(viewer: Viewer, request: StatsRequest) {
    if (request.since.getTime() >= request.until.getTime()) return []
    // Another hour may be counted between the two statements.
    const rows = yield* Effect.repeat(readOnce(viewer, request), { until: (rows) => rows !== undefined })
    return rows ?? []
  }, Effect.orDie)
}

const split = (since: number, until: number, countedUntil: number, bucket: "hour" | "day") => {
  const whole = (unit: number): Period => ({
    from: Math.ceil(since / unit) * unit,
    to: Math.floor(Math.min(until, countedUntil) / unit) * unit
  })
  const days = bucket === "day" ? nonEmpty([whole(day)]) : []
  const hours = nonEmpty([whole(hour)])
  return {
    days,
    hours: hours.flatMap((period) => without(period, days)),
    calls: without({ from: since, to: until }, hours)
  }
}

const without = ({ from, to }: Period, [hole]: ReadonlyArray<Period>): ReadonlyArray<Period> =>
  nonEmpty(hole === undefined ? [{ from, to }] : [{ from, to: hole.from }, { from: hole.to, to }])

const nonEmpty = (periods: ReadonlyArray<Period>): ReadonlyArray<Period> => periods.filter(({ from, to }) => from < to)

export const toStats = (rows: ReadonlyArray<StatsRow>): Stats => ({
  buckets: rows.slice(0, maxStatsBuckets).flatMap(
    ({ cached, calls, cost, errors, latencies, refused, start, value }) => {
      if (start === null) return []
      const percentile = percentilesOf(latencies.split(",").map(Number))
      return [{
        start,
        group: value === "" ? null : value,
        calls,
        errors,
        refused,
        cached,
        p50_ms: percentile(0.5),
        p95_ms: percentile(0.95),
        cost_usd: cost
      }]
    }
  ),
  truncated: rows.length > maxStatsBuckets
})
