import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // why the last attempt failed; NULL before the first one and after a success
  yield* sql`ALTER TABLE deliveries ADD COLUMN error text`
})
