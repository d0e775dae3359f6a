import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // 0 in hours that an earlier version has counted
  yield* sql`ALTER TABLE call_stats ADD COLUMN refused integer NOT NULL DEFAULT 0`
})
