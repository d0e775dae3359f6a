import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX calls_provider ON calls (provider, created_at, id)`
  yield* sql`CREATE INDEX calls_errors ON calls (created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_client_errors ON calls (client_id, created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_unconnected ON calls (member_id, created_at, id) WHERE connection_id IS NULL`
})
