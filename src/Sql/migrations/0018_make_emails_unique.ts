import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Earlier versions allowed several members with one address. Of these, the oldest owns it.
  yield* sql`ALTER TABLE members ADD COLUMN shares_email boolean NOT NULL DEFAULT false`
  yield* sql`
    UPDATE members SET shares_email = true
    WHERE EXISTS (
      SELECT 1 FROM members AS older WHERE lower(older.email) = lower(members.email) AND older.id < members.id
    )`
  yield* sql`CREATE UNIQUE INDEX members_own_email ON members (lower(email)) WHERE NOT shares_email`
  yield* sql`CREATE INDEX members_email ON members (lower(email))`
})
