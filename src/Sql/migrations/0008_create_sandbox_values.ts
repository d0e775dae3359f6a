import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE sandbox_values (
      kind text NOT NULL,
      id text NOT NULL,
      value text NOT NULL,
      version bigint NOT NULL,
      PRIMARY KEY (kind, id)
    )`
})
