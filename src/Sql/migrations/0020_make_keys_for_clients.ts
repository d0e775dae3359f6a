import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Of the member behind the keys that are made for a client. It is no person.
  yield* sql`ALTER TABLE members ADD COLUMN client_id text COLLATE "C"`
  yield* sql`CREATE UNIQUE INDEX members_client_id ON members (client_id) WHERE client_id IS NOT NULL`
  yield* sql`ALTER TABLE keys ADD COLUMN client_id text COLLATE "C"`
})
