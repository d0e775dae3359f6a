import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE results (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      -- the key, grant or session that made it
      holder text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      provider text NOT NULL,
      -- the resources and URLs that the call named, and the bounds under which it was made
      names text[] NOT NULL,
      urls text[] NOT NULL,
      bounds text NOT NULL,
      rows integer NOT NULL,
      bytes bigint NOT NULL,
      -- false while its chunks are being written
      is_complete boolean NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX results_holder ON results (holder, id)`
  yield* sql`CREATE INDEX results_member_id ON results (member_id)`
  yield* sql`CREATE INDEX results_expires_at ON results (expires_at)`

  yield* sql`
    CREATE TABLE result_chunks (
      id text COLLATE "C" PRIMARY KEY,
      result_id text COLLATE "C" NOT NULL REFERENCES results ON DELETE CASCADE,
      -- of the first row. -1: the columns
      first_row integer NOT NULL,
      rows integer NOT NULL,
      bytes bytea NOT NULL,
      encryption_key_id text NOT NULL,
      UNIQUE (result_id, first_row)
    )`
  yield* sql`ALTER TABLE result_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
})
