import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The cache compares hashes, and a call names an earlier one of the same day with the same data.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE responses
      ADD COLUMN body_hash text COLLATE "C",
      -- created_at of the hashed body: earlier versions of the service change only the body
      ADD COLUMN hashed_at timestamptz`
  yield* sql`ALTER TABLE calls ADD COLUMN same_data_as text COLLATE "C"`
})
