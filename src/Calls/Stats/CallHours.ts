import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { CallFilter } from "../../Domain/Call.ts"
import { seesEveryCall, type Viewer } from "../../Domain/Principal.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { day, hour } from "../Log/LogDay.ts"
import { statsRetention } from "./StatsRollUp.ts"

/** Epoch milliseconds. `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

interface Row {
  readonly countedUntil: Date | null
  readonly start: Date | null
}

/**
 * The parts of a period, newest first, that may have calls which the filter and the viewer allow. Leaves out hours
 * whose figures show no such call, and keeps hours without figures.
 */
export const callHours = (sql: SqlClient.SqlClient) => {
  const candidates = (viewer: Viewer, filter: CallFilter, { from, to }: Period): Fragment => {
    const rows = (scopes: ReadonlyArray<string>, dimension: string, values: ReadonlyArray<string>) =>
      sql`
        SELECT scope, started_at FROM call_stats
        WHERE hours = 1 AND scope = ANY(${textArray(scopes)}) AND dimension = ${dimension}
          AND value = ANY(${textArray(values)}) AND started_at >= ${new Date(from - hour)} AND started_at < ${new Date(
        to
      )} AND ${hasFigures(sql, filter)}`
    const { connectionIds, memberId } = viewer
    const hoursOf = (scopes: ReadonlyArray<string>, connections: ReadonlyArray<string> | null) => {
      const all = [
        ...conditions(filter).map(([dimension, value]) => rows(scopes, dimension, [value])),
        ...(connections === null ? [] : [rows(scopes, "connection", connections)])
      ].map((each) => sql`(${each})`)
      const [first = rows(scopes, "all", [""]), ...others] = all
      return sql`SELECT started_at FROM (${
        others.reduce((some, each) => sql`${some} INTERSECT ${each}`, first)
      }) AS seen`
    }
    const onConnections = hoursOf(viewer.clientIds ?? ["*"], connectionIds)
    return seesEveryCall(viewer) || memberId === null
      ? onConnections
      : sql`${onConnections} UNION ${hoursOf([memberId], null)}`
  }

  return Effect.fnUntraced(function*(viewer: Viewer, filter: CallFilter, period: Period) {
    const now = yield* Clock.currentTimeMillis
    const { from, to } = period
    const rows = yield* sql<Row>`
      SELECT counted_until AS "countedUntil", start FROM call_stats_progress LEFT JOIN (
        SELECT started_at AS start FROM (${candidates(viewer, filter, period)}) AS counted
        UNION SELECT date_trunc('hour', created_at, 'UTC') FROM late_calls
        WHERE created_at >= ${new Date(from)} AND created_at < ${new Date(to)}
      ) AS hour ON true
      ORDER BY start DESC NULLS LAST`
    const countedUntil = rows[0]?.countedUntil?.getTime() ?? -Infinity
    // A day later than the oldest figures, because clocks of instances differ.
    const counted = { from: Math.max(from, now - statsRetention + day), to: Math.min(to, countedUntil) }
    if (counted.from >= counted.to) return [period]
    const hours = rows.flatMap(({ start }) => start === null ? [] : [start.getTime()]).map((start): Period => ({
      from: Math.max(start, counted.from),
      to: Math.min(start + hour, counted.to)
    }))
    return joined([{ from: counted.to, to }, ...hours, { from, to: counted.from }])
  })
}

const joined = (periods: ReadonlyArray<Period>): ReadonlyArray<Period> => {
  const all: Array<Period> = []
  for (const period of periods) {
    const later = all.at(-1)
    if (period.from >= period.to) continue
    if (later?.from === period.to) all.splice(-1, 1, { from: period.from, to: later.to })
    else all.push(period)
  }
  return all
}

const conditions = (
  { client_id, connection_id, error_code, grant_id, key_id, member_id, provider, target }: CallFilter
) =>
  Object.entries({
    client: client_id,
    connection: connection_id,
    error_code,
    grant: grant_id,
    key: key_id,
    member: member_id,
    provider,
    target
  }).flatMap(([dimension, value]) => value === undefined ? [] : [[dimension, value] as const])

const hasFigures = (sql: SqlClient.SqlClient, { cached, error_code, outcome }: CallFilter) =>
  sql.and([
    ...(outcome === "error" || error_code !== undefined ? [sql`errors > 0`] : []),
    ...(outcome === "ok" ? [sql`errors < calls`] : []),
    ...(cached === undefined ? [] : [cached ? sql`cached > 0` : sql`cached < calls`])
  ])
