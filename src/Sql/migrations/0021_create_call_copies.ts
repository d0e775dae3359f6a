import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // How far ClickHouse has the log. An instance copies while it has the lease.
  yield* sql`
    CREATE TABLE call_copies (
      -- 'calls' or 'refused_calls'
      source text COLLATE "C" PRIMARY KEY,
      -- every call before it is copied, except those in uncopied_calls
      copied_until timestamptz,
      -- of the last call at copied_until that is copied
      copied_id text COLLATE "C" NOT NULL DEFAULT '',
      leased_by text,
      leased_until timestamptz
    )`
  yield* sql`INSERT INTO call_copies (source) VALUES ('calls'), ('refused_calls')`

  // Calls that were logged late, when their time may have been copied already.
  yield* sql`
    CREATE TABLE uncopied_calls (
      id text COLLATE "C" PRIMARY KEY,
      created_at timestamptz NOT NULL,
      announced_at timestamptz NOT NULL DEFAULT now()
    )`
})
