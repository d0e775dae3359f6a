import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Cached responses may be lost in a crash, and unlogged writes cost half. Only the hourly sweep reads the index, so
  // BRIN suffices, and updates do not touch it.
  yield* sql`ALTER TABLE responses SET UNLOGGED`
  yield* sql`DROP INDEX responses_created_at`
  yield* sql`CREATE INDEX responses_created_at ON responses USING brin (created_at)`
  yield* sql`ALTER TABLE responses SET (fillfactor = 70)`
})
