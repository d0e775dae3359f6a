import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The key or grant with which the link was made. NULL in links of an earlier version.
  yield* sql`ALTER TABLE connect_links ADD COLUMN holder_id text COLLATE "C"`

  // The admin who made the sign-in link. NULL: the admin token, the service or an earlier version made it.
  yield* sql`ALTER TABLE links ADD COLUMN made_by text COLLATE "C"`

  yield* sql`ALTER TABLE keys ADD COLUMN bounded_at timestamptz`
  yield* sql`ALTER TABLE grants ADD COLUMN bounded_at timestamptz`
})
