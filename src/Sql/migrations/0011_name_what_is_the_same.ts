import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// A response that is there already need not be written, or read, once more: a cached one is known by its hash, and a call
// names another call of its day that was answered with the same data.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE responses
      ADD COLUMN body_hash text COLLATE "C",
      -- created_at of the body that was hashed: earlier versions of the service change the body only
      ADD COLUMN hashed_at timestamptz`
  yield* sql`ALTER TABLE calls ADD COLUMN same_data_as text COLLATE "C"`
})
