import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE calls ADD COLUMN bulk_call_id text COLLATE "C"`
  yield* sql`CREATE INDEX calls_bulk_call_id ON calls (bulk_call_id, id) WHERE bulk_call_id IS NOT NULL`

  // NULL: each chunk of rows says in source of which connection they are, and what its call has named
  yield* sql`ALTER TABLE results ALTER COLUMN connection_id DROP NOT NULL`
  yield* sql`ALTER TABLE result_chunks ADD COLUMN source jsonb`
})
