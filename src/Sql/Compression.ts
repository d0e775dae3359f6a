import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Postgres may be built without lz4. */
export const hasLz4 = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`
    SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`
  return found.length === 1
})
