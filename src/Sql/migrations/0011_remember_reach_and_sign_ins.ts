import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // the account that the identity provider named; NULL for credentials that were given
  yield* sql`ALTER TABLE connections ADD COLUMN signed_in_as text`
  yield* sql`ALTER TABLE pending_connections ADD COLUMN signed_in_as text`

  yield* sql`
    CREATE TABLE quota_reach (
      -- SHA-256 of an account and a resource that the provider has shown it
      key text COLLATE "C" PRIMARY KEY,
      ends_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON quota_reach (ends_at)`
})
