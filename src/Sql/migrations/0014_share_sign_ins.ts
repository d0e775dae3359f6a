import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // SHA-256 of the refresh token; NULL for other credentials, and until the next change of credentials stored before
  yield* sql`ALTER TABLE connections ADD COLUMN token_hash bytea`
  yield* sql`CREATE INDEX connections_token ON connections (token_hash) WHERE token_hash IS NOT NULL`

  // the providers beside "provider" that the same sign-in covers
  yield* sql`ALTER TABLE authorizations ADD COLUMN further_providers text[] NOT NULL DEFAULT '{}'`
  yield* sql`ALTER TABLE pending_connections ADD COLUMN further_providers text[] NOT NULL DEFAULT '{}'`
})
