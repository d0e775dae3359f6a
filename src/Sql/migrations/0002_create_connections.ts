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
      created_at timestamptz NOT NULL,
      last_error jsonb
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
      created_at timestamptz NOT NULL,
      -- who began the sign-in
      actor_type text NOT NULL,
      member_id text COLLATE "C",
      -- NULL: the sign-in makes a new connection
      connection_id text COLLATE "C",
      -- NULL: the sign-in of an operator
      link_id text COLLATE "C",
      browser_hash bytea,
      opener text
    )`

  yield* sql`
    CREATE TABLE connect_links (
      id text COLLATE "C" PRIMARY KEY,
      -- SHA-256 of the token, which is not stored
      hash bytea NOT NULL UNIQUE,
      client_id text COLLATE "C",
      -- the connection that the link reconnects; NULL: the link makes new ones
      connection_id text COLLATE "C",
      providers text[] NOT NULL,
      -- read_only or read_write
      access text NOT NULL,
      -- NULL: named after the client and the provider
      label text,
      redirect_url text,
      -- who made it
      actor_type text NOT NULL,
      member_id text COLLATE "C",
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      ended_at timestamptz,
      -- sign-ins and checks since attempts_since
      attempts integer NOT NULL DEFAULT 0,
      attempts_since timestamptz
    )`
  yield* sql`CREATE INDEX ON connect_links (expires_at)`

  yield* sql`
    CREATE TABLE connect_link_uses (
      link_id text COLLATE "C" NOT NULL,
      provider text NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      -- SHA-256 of the cookie of the browser that connected
      browser_hash bytea NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (link_id, provider)
    )`

  yield* sql`
    CREATE TABLE pending_connections (
      id text COLLATE "C" PRIMARY KEY,
      link_id text COLLATE "C" NOT NULL,
      browser_hash bytea NOT NULL,
      provider text NOT NULL,
      auth_type text NOT NULL,
      external_account text,
      scopes text[] NOT NULL,
      opener text,
      -- encrypted with the key of encryption_key_id
      credentials bytea NOT NULL,
      encryption_key_id text NOT NULL,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON pending_connections (link_id)`
  yield* sql`CREATE INDEX ON pending_connections (created_at)`
})
