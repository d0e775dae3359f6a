import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE rate_limits, sign_in_attempts`

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
