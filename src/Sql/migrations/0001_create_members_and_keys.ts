import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE clients (
      id text COLLATE "C" PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE members (
      id text COLLATE "C" PRIMARY KEY,
      email text NOT NULL,
      name text,
      -- NULL: all clients
      client_ids text[],
      created_at timestamptz NOT NULL,
      role text NOT NULL DEFAULT 'member'
    )`
  yield* sql`CREATE UNIQUE INDEX members_email ON members (lower(email))`

  yield* sql`
    CREATE TABLE keys (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      access text NOT NULL,
      -- SHA-256 of the secret, which is not stored
      hash bytea NOT NULL UNIQUE,
      hint text NOT NULL,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      revoked_at timestamptz
    )`
  yield* sql`CREATE INDEX keys_member_id ON keys (member_id)`

  // Counts may be lost in a crash and do not wait for the disk. Half-empty pages leave room for updates in place.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limits (
      key_id text COLLATE "C" PRIMARY KEY,
      started_at timestamptz NOT NULL,
      -- includes rejected requests
      requests integer NOT NULL
    ) WITH (fillfactor = 50)`
})
