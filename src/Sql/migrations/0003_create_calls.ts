import { Effect } from "effect"
import { SqlClient } from "effect/sql"

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
      PRIMARY KEY (created_at, id)
    ) PARTITION BY RANGE (created_at)`
  yield* sql`CREATE INDEX calls_client_id ON calls (client_id, created_at, id)`
})
