import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasLz4 } from "../Compression.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Cached responses may be lost in a crash, and unlogged writes cost half.
  yield* sql`
    CREATE UNLOGGED TABLE responses (
      connection_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C",
      -- SHA-256 of the target and the canonical JSON of the input
      request_hash bytea NOT NULL,
      -- NULL: encrypted
      body text,
      created_at timestamptz NOT NULL,
      body_hash text COLLATE "C",
      -- not written any more
      call_id text COLLATE "C",
      encrypted_body bytea,
      encryption_key_id text,
      PRIMARY KEY (connection_id, request_hash)
    ) WITH (fillfactor = 70)`
  yield* sql`ALTER TABLE responses ALTER COLUMN encrypted_body SET STORAGE EXTERNAL`
  // Cached responses are short-lived: without lz4, they are stored uncompressed.
  yield* (yield* hasLz4)
    ? sql`ALTER TABLE responses ALTER COLUMN body SET COMPRESSION lz4`
    : sql`ALTER TABLE responses ALTER COLUMN body SET STORAGE EXTERNAL`
  // Only the hourly sweep reads this index, so BRIN suffices, and updates do not touch it.
  yield* sql`CREATE INDEX responses_created_at ON responses USING brin (created_at)`

  yield* sql`
    CREATE TABLE response_drops (
      connection_id text COLLATE "C" PRIMARY KEY,
      dropped_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE idempotency_keys (
      member_id text COLLATE "C" NOT NULL,
      -- SHA-256, as is body_hash
      key_hash bytea NOT NULL,
      body_hash bytea NOT NULL,
      -- the call that used the key first
      call_id text COLLATE "C" NOT NULL,
      -- of that call
      connection_id text COLLATE "C",
      -- null once the call has ended
      leased_until timestamptz,
      kept_until timestamptz NOT NULL,
      -- null while there is no answer
      http_status integer,
      retry_after text,
      -- encrypted
      answer bytea,
      encryption_key_id text,
      PRIMARY KEY (member_id, key_hash)
    )`
  yield* sql`CREATE INDEX ON idempotency_keys (kept_until)`

  yield* sql`
    CREATE TABLE results (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- the key, grant or session that made it
      holder text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      provider text NOT NULL,
      -- the resources and URLs that the call named, and the bounds under which it was made
      names text[] NOT NULL,
      urls text[] NOT NULL,
      bounds text NOT NULL,
      rows integer NOT NULL,
      bytes bigint NOT NULL,
      -- false while its chunks are being written
      is_complete boolean NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX results_holder ON results (holder, id)`
  yield* sql`CREATE INDEX results_member_id ON results (member_id)`
  yield* sql`CREATE INDEX results_expires_at ON results (expires_at)`

  yield* sql`
    CREATE TABLE result_chunks (
      id text COLLATE "C" PRIMARY KEY,
      result_id text COLLATE "C" NOT NULL REFERENCES results ON DELETE CASCADE,
      -- of the first row. -1: the columns
      first_row integer NOT NULL,
      rows integer NOT NULL,
      bytes bytea NOT NULL,
      encryption_key_id text NOT NULL,
      UNIQUE (result_id, first_row)
    )`
  yield* sql`ALTER TABLE result_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
})
