import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE undo_records (
      -- that of the call, with another prefix
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- the key or grant of the call; null for a session
      holder_id text COLLATE "C",
      expires_at timestamptz NOT NULL,
      -- the call that undoes it
      undone_by text COLLATE "C",
      -- encrypted
      content bytea NOT NULL,
      encryption_key_id text NOT NULL
    )`
  yield* sql`CREATE INDEX undo_records_expires_at ON undo_records (expires_at)`

  yield* sql`
    CREATE TABLE approvals (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- the key or grant that asks
      holder_id text COLLATE "C" NOT NULL,
      -- SHA-256 of the stored call
      call_hash bytea NOT NULL,
      status text NOT NULL,
      decided_by text COLLATE "C",
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      decided_at timestamptz,
      -- when an equal call got the answer
      answered_at timestamptz,
      -- the call that is sent, or was
      call_id text COLLATE "C",
      -- an instance that has the lease sends it
      sending_until timestamptz,
      -- encrypted
      content bytea NOT NULL,
      encryption_key_id text NOT NULL
    )`
  yield* sql`CREATE UNIQUE INDEX approvals_pending ON approvals (holder_id, call_hash) WHERE status = 'pending'`
  yield* sql`CREATE INDEX approvals_approved ON approvals (sending_until) WHERE status = 'approved'`
  yield* sql`CREATE INDEX approvals_call ON approvals (holder_id, call_hash, id)`
  yield* sql`CREATE INDEX approvals_member_id ON approvals (member_id, id)`
  yield* sql`CREATE INDEX approvals_created_at ON approvals (created_at)`
})
