import type { SqlClient } from "effect/sql"
import { budgetText } from "../Domain/Access/Budget.ts"
import type { Rights } from "../Domain/Access/Rights.ts"
import { textArray } from "../Sql/BulkStatement.ts"

/** The columns of `Rights` in `keys` and `grants`, in the order of `rightsValues`. */
export const rightsColumns = (sql: SqlClient.SqlClient, prefix: "" | "keys." | "grants." = "") =>
  sql.literal(`${prefix}resources, ${prefix}writes, ${prefix}undo, ${prefix}budget`)

/** The column `bounded_at`: when the bound was last narrowed, so that earlier calls may be outside of it. */
export const boundedAt = (sql: SqlClient.SqlClient, { resources }: Rights, now: Date) =>
  resources === null
    ? sql`bounded_at`
    : sql`CASE WHEN resources <@ ${textArray(resources)}::text[] THEN bounded_at ELSE ${now}::timestamptz END`

export const rightsValues = (sql: SqlClient.SqlClient, { budget, resources, undo, writes }: Rights) =>
  sql`${textArray(resources)}::text[], ${writes}, ${undo}::boolean, ${budgetText(budget)}::jsonb`
