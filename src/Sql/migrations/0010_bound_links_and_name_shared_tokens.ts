import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // what the person entered, for the operator's own credentials; NULL: the person chooses at the confirmation
  yield* sql`ALTER TABLE pending_connections ADD COLUMN resources text[]`

  // ids of the other connections that have the same refresh token, with commas between them
  yield* sql`ALTER TABLE revocation_connections ADD COLUMN token_shared_with text NOT NULL DEFAULT ''`
})
