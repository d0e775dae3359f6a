import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Cached responses need not outlive a crash of the database: without a write-ahead log they cost half. With a summary
  // of block ranges instead of a tree, which only the hourly sweep reads, an update need not touch any index.
  yield* sql`ALTER TABLE responses SET UNLOGGED`
  yield* sql`DROP INDEX responses_created_at`
  yield* sql`CREATE INDEX responses_created_at ON responses USING brin (created_at)`
  yield* sql`ALTER TABLE responses SET (fillfactor = 70)`
})
