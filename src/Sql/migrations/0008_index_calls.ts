import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// What is rare in a large log is found without reading all of it: the calls of a provider, errors and those of a client,
// and calls of a member that got no connection.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX calls_provider ON calls (provider, created_at, id)`
  yield* sql`CREATE INDEX calls_errors ON calls (created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_client_errors ON calls (client_id, created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_unconnected ON calls (member_id, created_at, id) WHERE connection_id IS NULL`
})
