import { PgTypes } from "@effect/sql-pg"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { failureCodes } from "../../../Domain/Calls/Stats.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { array, textArray } from "../../../Sql/BulkStatement.ts"
import { refusedCalls } from "../Storage/RefusedCalls.ts"
import { latencyBucket } from "./Latency.ts"

export const loggedCalls = (sql: SqlClient.SqlClient, which: Fragment) => {
  const columns =
    sql`id, created_at, client_id, connection_id, member_id, key_id, grant_id, provider, target, error_code, cost_usd,
    cached, ${latencyBucket(sql)} AS latency`
  return sql`(
    SELECT ${columns} FROM calls WHERE ${which}
    UNION ALL SELECT ${columns} FROM ${refusedCalls(sql)} WHERE ${which}
  ) AS call`
}

export const maxLate = 1000

export const isOneOf = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>): Fragment => {
  const times = array(ids.map((id) => new Date(idMillis(id))), PgTypes.OID.timestamptz)
  return sql`created_at = ANY(${times}) AND id = ANY(${textArray(ids)})`
}

export const figures = (sql: SqlClient.SqlClient) =>
  sql`count(*)::integer AS calls, count(error_code)::integer AS errors,
    (count(*) FILTER (WHERE error_code <> ALL(${textArray(failureCodes)})))::integer AS refused,
    (count(*) FILTER (WHERE cached))::integer AS cached, sum(cost_usd::numeric) AS cost_usd`

export const pairs = (sql: SqlClient.SqlClient) =>
  sql`string_to_array(string_agg(latency || ',' || calls, ','), ',')::integer[] AS latencies`

/** A call without a value counts as ''. */
const dimensions = (sql: SqlClient.SqlClient) =>
  sql`('all', ''), ('provider', coalesce(provider, '')), ('target', coalesce(target, '')),
    ('client', coalesce(client_id, '')), ('connection', coalesce(connection_id, '')), ('key', coalesce(key_id, '')),
    ('grant', coalesce(grant_id, '')), ('error_code', coalesce(error_code, ''))`

export const hourlyFigures = (sql: SqlClient.SqlClient, calls: Fragment) =>
  sql`
    SELECT scope, dimension, 1 AS hours, started_at, value, sum(calls)::integer AS calls, sum(errors)::integer AS errors,
      sum(refused)::integer AS refused, sum(cached)::integer AS cached, sum(cost_usd) AS cost_usd, ${pairs(sql)}
    FROM (
      SELECT visible.scope, counted.dimension, date_trunc('hour', created_at, 'UTC') AS started_at,
        counted.value, latency, ${figures(sql)}
      FROM ${calls}
      CROSS JOIN LATERAL (
        VALUES ('*'), (CASE WHEN connection_id IS NULL THEN member_id ELSE client_id END)
      ) AS visible (scope)
      CROSS JOIN LATERAL (VALUES ${dimensions(sql)}) AS counted (dimension, value)
      WHERE visible.scope IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5
    ) AS one
    GROUP BY scope, dimension, started_at, value`

export const dailyFigures = (sql: SqlClient.SqlClient, hourly: Fragment) =>
  sql`
    SELECT scope, dimension, 24 AS hours, started_at, value, sum(calls)::integer AS calls, sum(errors)::integer AS errors,
      sum(refused)::integer AS refused, sum(cached)::integer AS cached, sum(cost_usd) AS cost_usd, ${pairs(sql)}
    FROM (
      SELECT scope, dimension, date_trunc('day', started_at, 'UTC') AS started_at, value, latencies[i] AS latency,
        sum(latencies[i + 1]) AS calls,
        -- The figures of a row count with its first pair.
        coalesce(sum(errors) FILTER (WHERE i = 1), 0) AS errors,
        coalesce(sum(refused) FILTER (WHERE i = 1), 0) AS refused,
        coalesce(sum(cached) FILTER (WHERE i = 1), 0) AS cached,
        coalesce(sum(cost_usd) FILTER (WHERE i = 1), 0) AS cost_usd
      FROM ${hourly} CROSS JOIN LATERAL generate_series(1, cardinality(latencies), 2) AS i
      GROUP BY 1, 2, 3, 4, 5
    ) AS one
    GROUP BY scope, dimension, started_at, value`

/** @param rows hourly or daily figures */
export const insertFigures = (sql: SqlClient.SqlClient, rows: Fragment) =>
  sql`
    INSERT INTO call_stats
      (scope, dimension, hours, started_at, value, calls, errors, refused, cached, cost_usd, latencies)
    ${rows}`
