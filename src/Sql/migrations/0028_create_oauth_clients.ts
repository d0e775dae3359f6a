import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE oauth_clients (
      id text COLLATE "C" PRIMARY KEY,
      metadata jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      -- later with each use
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON oauth_clients (expires_at)`

  yield* sql`
    CREATE TABLE oauth_client_documents (
      -- SHA-256 of the URL, which may be longer than an index allows
      hash bytea PRIMARY KEY,
      url text NOT NULL,
      -- NULL: no fetch has succeeded
      document text,
      -- until then, the document or the failure is not fetched again
      fresh_until timestamptz NOT NULL,
      -- later with each use
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON oauth_client_documents (expires_at)`
})
