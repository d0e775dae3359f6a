import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE keys
      ADD COLUMN expires_at timestamptz,
      -- the parts of the management API that the key may use
      ADD COLUMN manage text[] NOT NULL DEFAULT '{}',
      -- the role of whoever gave manage: admin or member
      ADD COLUMN manage_as text NOT NULL DEFAULT 'member'`

  yield* sql`ALTER TABLE audit ADD COLUMN key_id text COLLATE "C"`
  yield* sql`CREATE INDEX ON audit (key_id, at, id) WHERE key_id IS NOT NULL`
})
