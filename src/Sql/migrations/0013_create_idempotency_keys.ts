import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE idempotency_keys (
      member_id text COLLATE "C" NOT NULL,
      -- SHA-256, as is body_hash
      key_hash bytea NOT NULL,
      body_hash bytea NOT NULL,
      -- the call that used the key first
      call_id text COLLATE "C" NOT NULL,
      -- null once the call has ended
      leased_until timestamptz,
      kept_until timestamptz NOT NULL,
      -- null while there is no answer
      http_status integer,
      retry_after text,
      -- encrypted
      answer bytea,
      encryption_key_id text,
      PRIMARY KEY (member_id, key_hash)
    )`
  yield* sql`CREATE INDEX ON idempotency_keys (kept_until)`
})
