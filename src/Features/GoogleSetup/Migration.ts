import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createGoogleRefusals = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE google_refusals (
      -- of the set-up: which check the sign-in failed
      check_id text PRIMARY KEY,
      -- Google's
      code text NOT NULL,
      at timestamptz NOT NULL
    )`
})
