import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // how the result is a part of what there is; NULL: nothing says so
  yield* sql`ALTER TABLE results ADD COLUMN part jsonb`
})
