import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The default compression is half the cost of storing a call. lz4 takes a tenth of its time. Without lz4, cached
// responses, which are short-lived, are stored uncompressed.
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const [{ hasLz4 } = { hasLz4: false }] = yield* sql<{ readonly hasLz4: boolean }>`
    SELECT 'lz4' = ANY(enumvals) AS "hasLz4" FROM pg_settings WHERE name = 'default_toast_compression'`
  if (!hasLz4) {
    yield* sql`ALTER TABLE responses ALTER COLUMN body SET STORAGE EXTERNAL`
    yield* sql`ALTER TABLE responses SET (toast_tuple_target = 8160)`
    return
  }
  yield* sql`ALTER TABLE responses ALTER COLUMN body SET COMPRESSION lz4`
  const calls = yield* sql<{ readonly name: string }>`
    SELECT 'calls' AS name
    UNION ALL SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'calls'::regclass`
  for (const { name } of calls) {
    yield* sql`
      ALTER TABLE ${sql(name)}
        ALTER COLUMN request SET COMPRESSION lz4,
        ALTER COLUMN response SET COMPRESSION lz4`
  }
})
