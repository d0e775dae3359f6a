import type { SqlClient } from "effect/sql"
import { budgetText } from "../Domain/Access/Budget.ts"
import type { Rights } from "../Domain/Access/Rights.ts"
import { textArray } from "../Sql/BulkStatement.ts"

/** The columns of `Rights` in `keys` and `grants`, in the order of `rightsValues`. */
export const rightsColumns = (sql: SqlClient.SqlClient, prefix: "" | "keys." | "grants." = "") =>
  sql.literal(`${prefix}resources, ${prefix}writes, ${prefix}undo, ${prefix}budget`)

export const rightsValues = (sql: SqlClient.SqlClient, { budget, resources, undo, writes }: Rights) =>
  sql`${textArray(resources)}::text[], ${writes}, ${undo}::boolean, ${budgetText(budget)}::jsonb`
