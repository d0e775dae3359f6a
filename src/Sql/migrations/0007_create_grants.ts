import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE grants (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      agent_name text NOT NULL,
      agent_client_id text NOT NULL,
      access text NOT NULL,
      -- NULL: all connections that the member sees
      connection_ids text[],
      created_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`
  yield* sql`CREATE INDEX ON grants (member_id)`

  yield* sql`
    CREATE TABLE oauth_tokens (
      -- the model of the authorization server, such as AccessToken, RefreshToken or AuthorizationCode
      kind text COLLATE "C" NOT NULL,
      -- SHA-256 of the token, which is not stored
      hash bytea NOT NULL,
      -- of a request for consent
      member_id text COLLATE "C",
      -- NULL before the member consents
      grant_id text COLLATE "C",
      -- separated by spaces
      scope text,
      payload jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      consumed_at timestamptz,
      PRIMARY KEY (kind, hash)
    )`
  yield* sql`CREATE INDEX ON oauth_tokens (grant_id)`
  yield* sql`CREATE INDEX ON oauth_tokens (expires_at)`
  yield* sql`CREATE INDEX ON oauth_tokens (member_id) WHERE member_id IS NOT NULL`

  yield* sql`
    CREATE TABLE oauth_clients (
      id text COLLATE "C" PRIMARY KEY,
      metadata jsonb NOT NULL,
      -- the network that registered the agent
      source text NOT NULL,
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
