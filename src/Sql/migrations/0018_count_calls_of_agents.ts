import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The hours before it have no figures by agent yet. NULL once all have.
  yield* sql`ALTER TABLE call_stats_progress ADD COLUMN grants_missing_until timestamptz`
  yield* sql`UPDATE call_stats_progress SET grants_missing_until = counted_until`
})
