import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE responses (
      connection_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C",
      -- SHA-256 of the target and the canonical JSON of the input
      request_hash bytea NOT NULL,
      body text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (connection_id, request_hash)
    )`
  yield* sql`
    CREATE TABLE response_drops (
      connection_id text COLLATE "C" PRIMARY KEY,
      dropped_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX responses_created_at ON responses (created_at)`
})
