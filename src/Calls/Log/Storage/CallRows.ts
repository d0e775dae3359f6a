import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { CallEntry } from "../../../Domain/Calls/Call.ts"
import type { CallId } from "../../../Domain/Ids.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { array, bulkInsert, textArray } from "../../../Sql/BulkStatement.ts"
import type { BodyColumns } from "./LogBodies.ts"

const { bool, bytea, float8, int2, text, timestamptz } = PgTypes.OID

/** The columns of `calls` that are written, with their types. */
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
  bulk_call_id: text,
  undoable_until: timestamptz,
  bodies: bytea,
  log_key_id: text,
  secret_hashes: text
}

export type CallRow = Readonly<Record<keyof typeof callColumns, unknown>>

export const callInsert = (sql: SqlClient.SqlClient) => bulkInsert<keyof typeof callColumns>(sql, "calls", callColumns)

export const callRow = (
  call: Omit<CallEntry, "request" | "response">,
  { bodies, log_key_id }: Pick<BodyColumns, "bodies" | "log_key_id">
): CallRow => ({
  dry_run: false,
  undo_of: null,
  bulk_call_id: null,
  undoable_until: null,
  secret_hashes: null,
  ...call,
  bodies,
  log_key_id,
  created_at: new Date(idMillis(call.id))
})

/** Ends the undo of calls before its usual time. */
export const endUndo = (sql: SqlClient.SqlClient, ids: ReadonlyArray<CallId>) =>
  ids.length === 0 ? Effect.void : sql`
    UPDATE calls SET undoable_until = NULL
    WHERE id = ANY(${textArray(ids)}) AND created_at = ANY(${
    array(ids.map((id) => new Date(idMillis(id))), timestamptz)
  })`
