import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE passkeys (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      -- base64url, chosen by the authenticator
      credential_id text COLLATE "C" NOT NULL UNIQUE,
      -- COSE
      public_key bytea NOT NULL,
      -- the number of signatures that the authenticator counts, or 0 always
      counter bigint NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`
  yield* sql`CREATE INDEX ON passkeys (member_id)`

  yield* sql`
    CREATE TABLE passkey_challenges (
      -- SHA-256 of the session's id, or of the cookie of the browser that signs in
      holder bytea PRIMARY KEY,
      -- base64url; public
      challenge text NOT NULL,
      created_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX ON passkey_challenges (created_at)`
})
