import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// A response that the log has is not kept in the cache as well. `hashed_at` stays for earlier versions of the service,
// which write it; they look for their own responses only, by other hashes of the request.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE responses
      ALTER COLUMN body DROP NOT NULL,
      -- a call of the same connection that was answered with the body
      ADD COLUMN call_id text COLLATE "C"`
})
