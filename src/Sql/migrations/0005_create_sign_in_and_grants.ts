import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // A table of its own, so that no statement about members reads it.
  yield* sql`
    CREATE TABLE passwords (
      member_id text COLLATE "C" PRIMARY KEY,
      -- Argon2id in the PHC string format
      hash text NOT NULL
    )`

  yield* sql`
    CREATE TABLE sessions (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- SHA-256 of the token, which is not stored
      hash bytea NOT NULL UNIQUE,
      -- how the member signed in, such as with a link or a passkey
      began_with text NOT NULL,
      address text,
      user_agent text,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON sessions (member_id)`
  yield* sql`CREATE INDEX ON sessions (last_used_at)`

  yield* sql`
    CREATE TABLE links (
      -- SHA-256 of the token, which is not stored
      hash bytea PRIMARY KEY,
      -- NULL: makes the first admin
      member_id text COLLATE "C",
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      -- used or replaced
      ended text,
      ended_at timestamptz
    )`
  yield* sql`CREATE INDEX ON links (member_id)`

  yield* sql`
    CREATE TABLE known_addresses (
      member_id text COLLATE "C" NOT NULL,
      address text NOT NULL,
      last_signed_in_at timestamptz NOT NULL,
      PRIMARY KEY (member_id, address)
    )`

  yield* sql`
    CREATE TABLE passkeys (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      -- base64url, chosen by the authenticator
      credential_id text COLLATE "C" NOT NULL UNIQUE,
      -- COSE
      public_key bytea NOT NULL,
      -- the number of signatures that the authenticator counts, or 0 always
      counter bigint NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`
  yield* sql`CREATE INDEX ON passkeys (member_id)`

  yield* sql`
    CREATE TABLE passkey_challenges (
      -- SHA-256 of the session's id, or of the cookie of the browser that signs in
      holder bytea PRIMARY KEY,
      -- base64url; public
      challenge text NOT NULL,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON passkey_challenges (created_at)`

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
      revoked_at timestamptz,
      -- NULL: no limit
      resources text[],
      -- calls a day
      budget jsonb,
      writes text NOT NULL DEFAULT 'allow',
      undo boolean NOT NULL DEFAULT true
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
