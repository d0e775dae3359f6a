import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE members ADD COLUMN role text NOT NULL DEFAULT 'member'`

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
      -- how the member signed in: with a link or a password
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
    CREATE UNLOGGED TABLE sign_in_attempts (
      -- SHA-256 of what is limited: an address, an account, or both
      subject bytea PRIMARY KEY,
      started_at timestamptz NOT NULL,
      attempts integer NOT NULL
    )`
  yield* sql`CREATE INDEX ON sign_in_attempts (started_at)`

  yield* sql`
    CREATE TABLE known_addresses (
      member_id text COLLATE "C" NOT NULL,
      address text NOT NULL,
      last_signed_in_at timestamptz NOT NULL,
      PRIMARY KEY (member_id, address)
    )`
})
