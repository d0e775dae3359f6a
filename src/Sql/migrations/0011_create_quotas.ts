import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Half-empty pages leave room for updates in place.
  yield* sql`
    CREATE TABLE quota_buckets (
      -- a quota and the SHA-256 of what it is counted for
      key text COLLATE "C" PRIMARY KEY,
      -- random, new with each change
      version integer NOT NULL,
      -- JSON
      bucket text NOT NULL,
      ends_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX ON quota_buckets (ends_at)`

  yield* sql`
    CREATE TABLE quota_uses (
      connection_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      quota text NOT NULL,
      resource text,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (connection_id, key)
    )`
  yield* sql`CREATE INDEX ON quota_uses (ends_at)`

  for (const table of ["members", "keys", "grants"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN budget jsonb`
  }
})
