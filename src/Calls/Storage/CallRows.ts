import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { CallEntry } from "../../Domain/Calls/Call.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { array, bulkInsert, textArray } from "../../Sql/BulkStatement.ts"
import { withoutData } from "../Results/ResponseText.ts"
import type { DataHolder, ResponseDeduplication } from "./ResponseDeduplication.ts"

const { bool, float8, int2, text, timestamptz } = PgTypes.OID

/** The columns of `calls`, with their types. ClickHouse has the same. */
export const callColumns = {
  id: text,
  created_at: timestamptz,
  client_id: text,
  connection_id: text,
  member_id: text,
  key_id: text,
  grant_id: text,
  resource: text,
  provider: text,
  target: text,
  outcome: text,
  http_status: int2,
  error_code: text,
  latency_ms: float8,
  cost_usd: float8,
  cached: bool,
  dry_run: bool,
  undo_of: text,
  undoable_until: timestamptz,
  request: text,
  response: text,
  same_data_as: text
}

export type CallRow = Readonly<Record<keyof typeof callColumns, unknown>>

export interface PreparedCall {
  readonly call: CallEntry
  readonly row: CallRow
  readonly server: string | null
  readonly holder: DataHolder | undefined
}

const toRow = (call: CallEntry, response: string, same_data_as: CallId | null): CallRow => ({
  dry_run: false,
  undo_of: null,
  undoable_until: null,
  ...call,
  response,
  same_data_as,
  created_at: new Date(idMillis(call.id))
})
export const toWholeRow = (call: CallEntry): CallRow => toRow(call, call.response, null)

/** Inserts nothing if the server is another than the one of the parameter. Returns the server. */
export const callInsert = (sql: SqlClient.SqlClient) => {
  // Identifies a server: two do not start at the same microsecond.
  const server = sql`extract(epoch FROM pg_postmaster_start_time())::text`
  return bulkInsert<keyof typeof callColumns>(
    sql,
    "calls",
    callColumns,
    sql`WHERE coalesce(${null}, ${server}) = ${server} RETURNING ${server} AS server`
  )
}

/** Of calls that can no longer be undone, though it is early for that. */
export const endUndo = (sql: SqlClient.SqlClient, ids: ReadonlyArray<CallId>) =>
  ids.length === 0 ? Effect.void : sql`
    UPDATE calls SET undoable_until = NULL
    WHERE id = ANY(${textArray(ids)}) AND created_at = ANY(${
    array(ids.map((id) => new Date(idMillis(id))), timestamptz)
  })`

export const callRows = (deduplication: ResponseDeduplication["Service"]) => {
  const prepare = (call: CallEntry): PreparedCall => {
    const { connection_id, data, id, response } = call
    const key = data === null ? undefined : deduplication.keyOf(connection_id, data, idMillis(id))
    const earlier = key === undefined ? undefined : deduplication.findCommitted(key)
    if (data !== null && earlier !== undefined) {
      const row = toRow(call, withoutData(response, data.text), earlier)
      return { call, row, server: deduplication.server.current, holder: undefined }
    }
    const holder = key === undefined ? undefined : { call: id, key, isCommitted: false }
    if (holder !== undefined) deduplication.begin(holder)
    return { call, row: toWholeRow(call), server: null, holder }
  }

  const settle = ({ holder }: PreparedCall, isStored: boolean) => {
    if (holder !== undefined) deduplication.end(holder, isStored)
  }

  return { prepare, settle }
}
