import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { AuditedChange } from "../Audit/Audit.ts"
import { ApiKey } from "../Domain/Access/ApiKey.ts"
import { rowsOf } from "../Sql/Rows.ts"

export const keyRows = rowsOf(Schema.toType(ApiKey))

export const keyColumns = (sql: SqlClient.SqlClient) =>
  sql`id, member_id, name, access, hint, expires_at, manage, resources, writes, undo, budget, last_used_at, created_at, revoked_at`

export const keyDetails = (
  { access, budget, expires_at, hint, manage, member_id, name, resources, undo, writes }: ApiKey
) => ({
  name,
  member_id,
  access,
  hint,
  expires_at: expires_at?.toISOString() ?? null,
  manage,
  resources,
  writes,
  undo,
  budget
})

export const keyChanged = (type: "key.created" | "key.revoked", key: ApiKey): AuditedChange => ({
  action: type,
  subject: key.id,
  details: keyDetails(key),
  event: { type, data: { key } }
})
