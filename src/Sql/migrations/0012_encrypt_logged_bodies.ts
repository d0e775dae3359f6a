import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE log_keys (
      id text COLLATE "C" PRIMARY KEY,
      -- the start of the day (UTC) whose calls have bodies encrypted with it
      day timestamptz NOT NULL,
      -- encrypted
      bytes bytea NOT NULL,
      encryption_key_id text NOT NULL
    )`

  // request and response together, compressed and encrypted; rows of earlier versions have them in their own columns
  yield* sql`ALTER TABLE calls ADD COLUMN bodies bytea, ADD COLUMN log_key_id text COLLATE "C"`
  yield* sql`ALTER TABLE calls ALTER COLUMN bodies SET STORAGE EXTERNAL`
  yield* sql`CREATE INDEX calls_plain ON calls (created_at, id) WHERE request IS NOT NULL OR response IS NOT NULL`

  // The cache is encrypted too. It is requested again.
  yield* sql`DELETE FROM responses WHERE body IS NOT NULL`
})
