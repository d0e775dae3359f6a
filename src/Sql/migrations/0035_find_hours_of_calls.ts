import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX call_stats_hours ON call_stats (scope, dimension, value, started_at) WHERE hours = 1`
  // The hours from `named_since` until `named_until` are counted by member and by grant too. The bounds are null until
  // a version that does so has counted an hour.
  yield* sql`
    ALTER TABLE call_stats_progress ADD COLUMN named_since timestamptz, ADD COLUMN named_until timestamptz`
  yield* sql`ALTER TABLE late_calls ADD COLUMN announced_at timestamptz NOT NULL DEFAULT now()`
})
