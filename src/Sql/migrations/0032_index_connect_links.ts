import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX ON connect_links (expires_at)`
  yield* sql`CREATE INDEX ON pending_connections (created_at)`
})
