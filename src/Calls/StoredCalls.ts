import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/unstable/sql"
import { idMillis } from "../NewId.ts"
import { insertColumns } from "../Sql/Columns.ts"
import type { CompletedCall } from "./CallLog.ts"
import { RepeatedData } from "./RepeatedData.ts"
import { isLongerThan, storedBody, storedName } from "./StoredBody.ts"
import { dataIn, withoutData } from "./SuccessfulResponse.ts"

const { bool, float8, int2, text, timestamptz } = PgTypes.OID

const columnTypes = {
  id: text,
  created_at: timestamptz,
  client_id: text,
  connection_id: text,
  member_id: text,
  key_id: text,
  provider: text,
  target: text,
  outcome: text,
  http_status: int2,
  error_code: text,
  latency_ms: float8,
  cost_usd: float8,
  cached: bool,
  request: text,
  response: text,
  same_data_as: text
}

/**
 * Writes calls, redacted, with as much of their bodies as `limit` bytes. Data that a call is known to have is not written
 * again: other calls name that one.
 */
export const storeCalls = (sql: SqlClient.SqlClient, limit: number) => {
  const repeated = new RepeatedData()

  const responseColumns = (call: CompletedCall) => {
    const { data, response } = call
    const first = data === null || isLongerThan(response, limit) ? undefined : repeated.findFirst(call)
    return data === null || first === undefined
      ? { response: storedBody(response, limit), same_data_as: null }
      : { response: withoutData(response, data.text), same_data_as: first }
  }

  const toRow = (call: CompletedCall) => ({
    ...call,
    ...responseColumns(call),
    provider: call.provider === null ? null : storedName(call.provider),
    target: call.target === null ? null : storedName(call.target),
    created_at: new Date(idMillis(call.id)),
    request: call.request === null ? null : storedBody(call.request, limit)
  })

  // Another server, a replica that was promoted, may lack the latest calls. It was not started at the same microsecond.
  const server = sql`extract(epoch FROM pg_postmaster_start_time())::text`
  const insert = insertColumns<keyof typeof columnTypes, { readonly server: string }>(
    sql,
    "calls",
    columnTypes,
    sql`WHERE coalesce(${repeated.server}, ${server}) = ${server} RETURNING ${server} AS server`
  )

  return (calls: ReadonlyArray<CompletedCall>) => {
    const store = Effect.suspend(() => {
      const rows = calls.map(toRow)
      return Effect.map(insert(rows, repeated.server), ([stored]) => {
        if (stored === undefined) return false
        repeated.server = stored.server
        for (const row of rows) if (dataIn(row.response) !== undefined) repeated.remember(row)
        return true
      })
    })
    return Effect.flatMap(store, (isStored) => {
      if (isStored) return Effect.void
      repeated.forget()
      return Effect.asVoid(store)
    })
  }
}
