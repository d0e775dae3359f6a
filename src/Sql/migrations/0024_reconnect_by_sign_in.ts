import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // NULL: the sign-in makes a new connection
  yield* sql`ALTER TABLE authorizations ADD COLUMN connection_id text COLLATE "C"`
})
