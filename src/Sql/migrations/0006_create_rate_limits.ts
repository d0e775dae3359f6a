import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Unlogged: counting waits for no disk, and after a crash of the database it begins anew. Half-empty pages have room
  // for a row to be written again where it is.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limits (
      key_id text COLLATE "C" PRIMARY KEY,
      started_at timestamptz NOT NULL,
      -- since then, those that were refused too
      requests integer NOT NULL
    ) WITH (fillfactor = 50)`
})
