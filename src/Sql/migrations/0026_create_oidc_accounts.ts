import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE oidc_accounts (
      issuer text NOT NULL,
      subject text NOT NULL,
      member_id text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject)
    )`
  yield* sql`CREATE INDEX ON oidc_accounts (member_id)`

  yield* sql`
    CREATE TABLE oidc_sign_ins (
      -- SHA-256; the nonce and the PKCE verifier follow from the cookie
      state_hash bytea PRIMARY KEY,
      browser_hash bytea NOT NULL,
      -- NULL: signs in; otherwise binds the account to the member of this session
      session_id text COLLATE "C",
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON oidc_sign_ins (created_at)`
})
