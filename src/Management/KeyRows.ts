import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { AuditedChange } from "../Audit/Audit.ts"
import { ApiKey } from "../Domain/ApiKey.ts"
import { rowsOf } from "../Sql/Rows.ts"

export const keyRows = rowsOf(Schema.toType(ApiKey))

export const keyColumns = (sql: SqlClient.SqlClient) =>
  sql`id, member_id, name, access, hint, last_used_at, created_at, revoked_at`

export const keyChanged = (type: "key.created" | "key.revoked", key: ApiKey): AuditedChange => {
  const { access, hint, id, member_id, name } = key
  return { action: type, subject: id, details: { name, member_id, access, hint }, event: { type, data: { key } } }
}
