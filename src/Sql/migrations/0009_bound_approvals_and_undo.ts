import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // why the call cannot be undone; null: it can
  yield* sql`ALTER TABLE undo_records ADD COLUMN unkept text`
  yield* sql`CREATE INDEX undo_records_member_id ON undo_records (member_id, id)`

  // of the response of the write that was sent
  yield* sql`ALTER TABLE approvals ADD COLUMN error_code text`

  yield* sql`
    CREATE TABLE approval_parts (
      id text COLLATE "C" PRIMARY KEY,
      approval_id text COLLATE "C" NOT NULL REFERENCES approvals ON DELETE CASCADE,
      -- asked, changes or answer
      part text NOT NULL,
      -- encrypted
      bytes bytea NOT NULL,
      encryption_key_id text NOT NULL,
      UNIQUE (approval_id, part)
    )`
})
