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
      -- NULL for a derived connection
      encryption_key_id text,
      -- grows with every change of the credentials
      version integer NOT NULL,
      -- end of the lease of the instance that refreshes the access token
      refreshing_until timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      last_error jsonb,
      -- NULL: no limit
      resources text[],
      -- the connection whose credentials this one uses
      parent_id text COLLATE "C",
      -- SHA-256 of the refresh token; NULL for other credentials
      token_hash bytea,
      -- when the provider ends the refresh token; NULL: it has not said so
      refresh_expires_at timestamptz,
      -- NULL: not known
      asked_scopes text[],
      -- bound resources that the account did not list the last time
      lost_resources text[] NOT NULL DEFAULT '{}',
      -- when the refresh token was stored or used last
      token_used_at timestamptz,
      -- the last try of an unused connection
      tried_at timestamptz,
      -- reasons of its health of which events were sent
      announced text[] NOT NULL DEFAULT '{}'
    )`
  yield* sql`CREATE INDEX connections_active ON connections (provider, client_id) WHERE status = 'active'`
  yield* sql`CREATE INDEX connections_parent_id ON connections (parent_id) WHERE parent_id IS NOT NULL`
  yield* sql`CREATE INDEX connections_token ON connections (token_hash) WHERE token_hash IS NOT NULL`

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
      opener text,
      -- the providers beside "provider" that the same sign-in covers
      further_providers text[] NOT NULL DEFAULT '{}'
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
      created_at timestamptz NOT NULL,
      -- the providers beside "provider" that the same sign-in covers
      further_providers text[] NOT NULL DEFAULT '{}'
    )`
  yield* sql`CREATE INDEX ON pending_connections (link_id)`
  yield* sql`CREATE INDEX ON pending_connections (created_at)`

  yield* sql`
    CREATE TABLE created_files (
      -- the connection, key or grant under whose bound a call created the file
      holder text COLLATE "C" NOT NULL,
      resource text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (holder, resource)
    )`

  yield* sql`
    CREATE TABLE revocations (
      id text COLLATE "C" PRIMARY KEY,
      -- client_id, provider, connection_ids or all, as in the request
      selector jsonb NOT NULL,
      keys_revoked integer,
      -- whose the audit entries are
      actor_type text NOT NULL,
      member_id text COLLATE "C",
      address text,
      created_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE revocation_connections (
      id text COLLATE "C" PRIMARY KEY,
      revocation_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      provider text NOT NULL,
      -- of the connection, until its provider has been asked
      credentials bytea,
      encryption_key_id text,
      -- the audit entry and the event are written
      announced boolean NOT NULL,
      at_provider text,
      verified boolean,
      error jsonb,
      attempts integer NOT NULL DEFAULT 0,
      -- when it is worked on next; NULL if nothing is left
      due_at timestamptz,
      leased_until timestamptz
    )`
  yield* sql`CREATE INDEX ON revocation_connections (revocation_id)`
  yield* sql`CREATE INDEX ON revocation_connections (due_at) WHERE due_at IS NOT NULL`
})
