import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasLz4 } from "../Compression.ts"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Retention drops daily partitions. `created_at` is the time in the id, so a look-up by id reads one partition.
  yield* sql`
    CREATE TABLE calls (
      id text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      client_id text COLLATE "C",
      connection_id text COLLATE "C",
      member_id text COLLATE "C",
      key_id text COLLATE "C",
      provider text,
      target text,
      outcome text NOT NULL,
      http_status smallint NOT NULL,
      error_code text,
      latency_ms double precision NOT NULL,
      cost_usd double precision NOT NULL,
      cached boolean NOT NULL,
      -- redacted JSON; not jsonb, which rejects NUL characters and reorders keys
      request text,
      response text,
      -- in rows of versions that stored equal data once a day: an earlier call of the day, which has it
      same_data_as text COLLATE "C",
      grant_id text COLLATE "C",
      resource text,
      dry_run boolean NOT NULL DEFAULT false,
      undo_of text COLLATE "C",
      undoable_until timestamptz,
      PRIMARY KEY (created_at, id)
    ) PARTITION BY RANGE (created_at)`
  // The default compression is 50 % of the cost of storing a call. lz4 takes 10 % of its time.
  if (yield* hasLz4) {
    yield* sql`
      ALTER TABLE calls
        ALTER COLUMN request SET COMPRESSION lz4,
        ALTER COLUMN response SET COMPRESSION lz4`
  }
  yield* sql`CREATE INDEX calls_client_id ON calls (client_id, created_at, id)`
  yield* sql`CREATE INDEX calls_provider ON calls (provider, created_at, id)`
  yield* sql`CREATE INDEX calls_errors ON calls (created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_client_errors ON calls (client_id, created_at, id) WHERE outcome = 'error'`
  yield* sql`CREATE INDEX calls_unconnected ON calls (member_id, created_at, id) WHERE connection_id IS NULL`
  yield* sql`CREATE INDEX calls_connection_id ON calls (connection_id, created_at)`
  yield* sql`CREATE INDEX calls_key_id ON calls (key_id, created_at)`
  yield* sql`CREATE INDEX calls_grant_id ON calls (grant_id, created_at) WHERE grant_id IS NOT NULL`
  yield* sql`CREATE INDEX calls_resource ON calls (resource, created_at) WHERE resource IS NOT NULL`
  yield* sql`CREATE INDEX calls_undo_of ON calls (undo_of, created_at) WHERE undo_of IS NOT NULL`

  yield* sql`
    CREATE TABLE refused_calls (
      -- the time in the id
      created_at timestamptz NOT NULL,
      latency_ms double precision NOT NULL,
      http_status smallint NOT NULL,
      id text COLLATE "C" NOT NULL,
      error_code text NOT NULL,
      -- null without a valid key
      member_id text COLLATE "C",
      key_id text COLLATE "C",
      provider text,
      target text,
      grant_id text COLLATE "C"
    ) PARTITION BY RANGE (created_at)`
  yield* sql`CREATE INDEX refused_calls_created_at ON refused_calls (created_at)`
  yield* sql`CREATE INDEX refused_calls_member_id ON refused_calls (member_id) WHERE member_id IS NOT NULL`

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
  yield* sql`INSERT INTO call_stats_progress DEFAULT VALUES`

  yield* sql`
    CREATE TABLE late_calls (
      id text COLLATE "C" PRIMARY KEY,
      created_at timestamptz NOT NULL,
      announced_at timestamptz NOT NULL DEFAULT now()
    )`

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
