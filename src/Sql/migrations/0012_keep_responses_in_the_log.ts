import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The cache refers to a response that the log already holds. Earlier versions of the service still write `hashed_at`.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE responses
      ALTER COLUMN body DROP NOT NULL,
      -- a call of the same connection whose logged response is the body
      ADD COLUMN call_id text COLLATE "C"`
})
