import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE connections
      -- when the provider ends the refresh token; NULL: it has not said so
      ADD COLUMN refresh_expires_at timestamptz,
      -- NULL: not known
      ADD COLUMN asked_scopes text[],
      -- bound resources that the account did not list the last time
      ADD COLUMN lost_resources text[] NOT NULL DEFAULT '{}',
      -- when the refresh token was stored or used last
      ADD COLUMN token_used_at timestamptz,
      -- the last try of an unused connection
      ADD COLUMN tried_at timestamptz,
      -- reasons of its health of which events were sent
      ADD COLUMN announced text[] NOT NULL DEFAULT '{}'`
})
