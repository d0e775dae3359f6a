import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createBulkCalls = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE bulk_calls (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- the key, grant or session that has asked
      holder text COLLATE "C" NOT NULL,
      status text NOT NULL,
      request bytea NOT NULL,
      encryption_key_id text NOT NULL,
      result_id text COLLATE "C" NOT NULL,
      truncated boolean NOT NULL DEFAULT false,
      started_at timestamptz,
      ended_at timestamptz,
      leased_by text,
      leased_until timestamptz
    )`
  yield* sql`CREATE INDEX bulk_calls_holder ON bulk_calls (holder, id)`
  yield* sql`CREATE INDEX bulk_calls_open ON bulk_calls (member_id, id) WHERE status IN ('queued', 'running')`

  yield* sql`
    CREATE TABLE bulk_runs (
      id text COLLATE "C" PRIMARY KEY,
      bulk_call_id text COLLATE "C" NOT NULL REFERENCES bulk_calls ON DELETE CASCADE,
      -- the place of its connection in the table
      place integer NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      -- of the input; NULL: it names none, or is_list, and the account is asked for its resources
      resource text,
      is_list boolean NOT NULL,
      status text NOT NULL DEFAULT 'pending',
      due_at timestamptz,
      call_id text,
      code text,
      message text,
      -- of a run that is ok, until the table is there
      row_count integer NOT NULL DEFAULT 0,
      source jsonb,
      rows bytea,
      encryption_key_id text
    )`
  yield* sql`CREATE INDEX bulk_runs_bulk_call_id ON bulk_runs (bulk_call_id, place, resource)`
  yield* sql`ALTER TABLE bulk_runs ALTER COLUMN rows SET STORAGE EXTERNAL`
})
