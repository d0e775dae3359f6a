import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // keyed hashes of what redaction removed, separated by spaces
  yield* sql`ALTER TABLE calls ADD COLUMN secret_hashes text`
  yield* sql`
    CREATE INDEX calls_secret_hashes ON calls USING gin (string_to_array(secret_hashes, ' '))
    WHERE secret_hashes IS NOT NULL`

  // NULL: the key of these hashes, which stays
  yield* sql`ALTER TABLE log_keys ALTER COLUMN day DROP NOT NULL`
})
