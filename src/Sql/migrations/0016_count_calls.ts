import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE calls ADD COLUMN grant_id text COLLATE "C"`
  yield* sql`ALTER TABLE refused_calls ADD COLUMN grant_id text COLLATE "C"`
  yield* sql`CREATE INDEX calls_connection_id ON calls (connection_id, created_at)`
  yield* sql`CREATE INDEX calls_key_id ON calls (key_id, created_at)`

  yield* sql`
    CREATE TABLE call_stats (
      -- '*': all calls; a client: those of its connections; a member: its own without a connection
      scope text COLLATE "C" NOT NULL,
      -- 'all', or the column of \`value\`
      dimension text COLLATE "C" NOT NULL,
      -- 1 or 24
      hours smallint NOT NULL,
      started_at timestamptz NOT NULL,
      value text COLLATE "C",
      calls integer NOT NULL,
      errors integer NOT NULL,
      cached integer NOT NULL,
      cost_usd numeric NOT NULL,
      -- pairs: bucket of the latency, number of calls
      latencies integer[] NOT NULL
    )`
  // Not unique: a late call adds a row.
  yield* sql`CREATE INDEX call_stats_scope ON call_stats (scope, dimension, hours, started_at, value)`
  yield* sql`CREATE INDEX call_stats_started_at ON call_stats USING brin (started_at)`

  // A single row. Calls before `counted_until` are counted, except those in `late_calls`.
  yield* sql`CREATE TABLE call_stats_progress (counted_until timestamptz)`
  yield* sql`INSERT INTO call_stats_progress VALUES (NULL)`

  yield* sql`
    CREATE TABLE late_calls (
      id text COLLATE "C" PRIMARY KEY,
      created_at timestamptz NOT NULL
    )`
})
