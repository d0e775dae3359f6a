import type { SqlClient } from "effect/sql"

export const signInMethods = (sql: SqlClient.SqlClient) =>
  sql`
    SELECT member_id, 'password' AS method FROM passwords
    UNION SELECT member_id, 'passkey' FROM passkeys
    UNION SELECT member_id, 'oidc' FROM oidc_accounts`
