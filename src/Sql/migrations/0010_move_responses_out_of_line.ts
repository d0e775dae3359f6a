import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// A long response stays where it is when it is stored again and has not changed, which it can only outside of its row.
// Kept in the row, for want of lz4, every one of them was written anew and left its predecessor behind.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE responses RESET (toast_tuple_target)`
})
