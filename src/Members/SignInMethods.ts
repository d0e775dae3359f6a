import type { SqlClient } from "effect/sql"

/** The ways in which members can sign in: a row with `member_id` and `method` for each. */
export const signInMethods = (sql: SqlClient.SqlClient) => sql`SELECT member_id, 'password' AS method FROM passwords`
