import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE revocations (
      id text COLLATE "C" PRIMARY KEY,
      -- client_id, provider, connection_ids or all, as in the request
      selector jsonb NOT NULL,
      keys_revoked integer,
      -- whose the audit entries are
      actor_type text NOT NULL,
      member_id text COLLATE "C",
      address text,
      created_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE revocation_connections (
      id text COLLATE "C" PRIMARY KEY,
      revocation_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      provider text NOT NULL,
      -- of the connection, until its provider has been asked
      credentials bytea,
      encryption_key_id text,
      -- the audit entry and the event are written
      announced boolean NOT NULL,
      at_provider text,
      verified boolean,
      error jsonb,
      attempts integer NOT NULL DEFAULT 0,
      -- when it is worked on next; NULL if nothing is left
      due_at timestamptz,
      leased_until timestamptz
    )`
  yield* sql`CREATE INDEX ON revocation_connections (revocation_id)`
  yield* sql`CREATE INDEX ON revocation_connections (due_at) WHERE due_at IS NOT NULL`
})
