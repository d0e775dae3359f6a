import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE responses
      ADD COLUMN encrypted_body bytea,
      ADD COLUMN encryption_key_id text`
  yield* sql`ALTER TABLE responses ALTER COLUMN encrypted_body SET STORAGE EXTERNAL`
  // Unencrypted secrets may be stored. Every response can be requested again.
  yield* sql`TRUNCATE responses`
})
