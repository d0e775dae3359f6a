import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

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
      target text
    ) PARTITION BY RANGE (created_at)`
  yield* sql`CREATE INDEX refused_calls_created_at ON refused_calls (created_at)`
  yield* sql`CREATE INDEX refused_calls_member_id ON refused_calls (member_id) WHERE member_id IS NOT NULL`
})
