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
      role text NOT NULL DEFAULT 'member',
      -- calls a day
      budget jsonb
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
      revoked_at timestamptz,
      expires_at timestamptz,
      -- the parts of the management API that the key may use
      manage text[] NOT NULL DEFAULT '{}',
      -- the role of whoever gave manage: admin or member
      manage_as text NOT NULL DEFAULT 'member',
      -- NULL: no limit
      resources text[],
      -- calls a day
      budget jsonb,
      writes text NOT NULL DEFAULT 'allow',
      undo boolean NOT NULL DEFAULT false
    )`
  yield* sql`CREATE INDEX keys_member_id ON keys (member_id)`

  // Counts may be lost in a crash and do not wait for the disk. Half-empty pages leave room for updates in place.
  yield* sql`
    CREATE UNLOGGED TABLE request_counts (
      -- a key, session or grant, or the SHA-256 of an address, an account, or both
      subject text COLLATE "C" PRIMARY KEY,
      -- the end of the window
      ends_at timestamptz NOT NULL,
      -- includes rejected requests
      requests integer NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX ON request_counts (ends_at)`
})
