import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Counts may be lost in a crash and do not wait for the disk. Half-empty pages leave room for updates in place.
  yield* sql`
    CREATE UNLOGGED TABLE rate_limits (
      key_id text COLLATE "C" PRIMARY KEY,
      started_at timestamptz NOT NULL,
      -- includes rejected requests
      requests integer NOT NULL
    ) WITH (fillfactor = 50)`
})
