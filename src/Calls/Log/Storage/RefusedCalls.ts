import { PgTypes } from "@effect/sql-pg"
import { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import { Unauthenticated } from "../../../Api/Errors.ts"
import type { CallEntry, LoggedCall } from "../../../Domain/Calls/Call.ts"
import { JsonText } from "../../../Domain/Json/JsonText.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { bulkInsert, runBulk } from "../../../Sql/BulkStatement.ts"

const maxRetention = Duration.days(7)

export const refusedRetention = (retention: Duration.Duration): Duration.Duration =>
  Duration.min(retention, maxRetention)

const { float8, int2, text, timestamptz } = PgTypes.OID

const columnTypes = {
  created_at: timestamptz,
  latency_ms: float8,
  http_status: int2,
  id: text,
  error_code: text,
  member_id: text,
  key_id: text,
  grant_id: text,
  provider: text,
  target: text
}

export const storeRefused = (sql: SqlClient.SqlClient) => {
  const insert = runBulk(sql, bulkInsert<keyof typeof columnTypes>(sql, "refused_calls", columnTypes))
  return (calls: ReadonlyArray<CallEntry>) =>
    insert(calls.map((call) => ({ ...call, created_at: new Date(idMillis(call.id)) })))
}

export const refusedCalls = (sql: SqlClient.SqlClient) =>
  sql`(
    SELECT id, created_at, NULL::text AS client_id, NULL::text AS connection_id, NULL::text AS resource, member_id, key_id, grant_id, provider, target,
      'error' AS outcome, http_status, error_code, latency_ms,
      0::double precision AS cost_usd, false AS cached,
      false AS dry_run, NULL::text AS undo_of, NULL::text AS bulk_call_id, NULL::timestamptz AS undoable_until
    FROM refused_calls
  ) AS calls`

export const refusedResponse = ({ error_code, id }: LoggedCall): JsonText | null =>
  error_code === Unauthenticated.code ? JsonText.stringify(new Unauthenticated().body(id)) : null
