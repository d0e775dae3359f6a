import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE connections
      -- NULL: no limit
      ADD COLUMN resources text[],
      -- the connection whose credentials this one uses
      ADD COLUMN parent_id text COLLATE "C",
      -- NULL for a derived connection
      ALTER COLUMN encryption_key_id DROP NOT NULL`
  yield* sql`CREATE INDEX connections_parent_id ON connections (parent_id) WHERE parent_id IS NOT NULL`
  yield* sql`ALTER TABLE keys ADD COLUMN resources text[]`
  yield* sql`ALTER TABLE grants ADD COLUMN resources text[]`

  yield* sql`ALTER TABLE calls ADD COLUMN resource text`
  yield* sql`CREATE INDEX calls_resource ON calls (resource, created_at) WHERE resource IS NOT NULL`

  yield* sql`
    CREATE TABLE created_files (
      -- the connection, key or grant under whose bound a call created the file
      holder text COLLATE "C" NOT NULL,
      resource text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (holder, resource)
    )`
})
