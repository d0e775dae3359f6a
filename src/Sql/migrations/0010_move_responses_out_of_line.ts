import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// An update does not rewrite an unchanged value that is stored out of line.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE responses RESET (toast_tuple_target)`
})
