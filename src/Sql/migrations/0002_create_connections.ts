import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE connections (
      id text COLLATE "C" PRIMARY KEY,
      client_id text COLLATE "C",
      provider text NOT NULL,
      auth_type text NOT NULL,
      label text NOT NULL,
      external_account text,
      scopes text[] NOT NULL,
      status text NOT NULL,
      -- encrypted with the key of encryption_key_id; NULL once revoked
      credentials bytea,
      encryption_key_id text NOT NULL,
      -- grows with every change of the credentials
      version integer NOT NULL,
      -- end of the lease of the instance that refreshes the access token
      refreshing_until timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX connections_active ON connections (provider, client_id) WHERE status = 'active'`

  yield* sql`
    CREATE TABLE authorizations (
      -- SHA-256 of the state parameter
      state_hash bytea PRIMARY KEY,
      client_id text COLLATE "C",
      provider text NOT NULL,
      label text NOT NULL,
      scopes text[] NOT NULL,
      code_verifier bytea NOT NULL,
      encryption_key_id text NOT NULL,
      created_at timestamptz NOT NULL
    )`
})
