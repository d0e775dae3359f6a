import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const createAlerts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE alert_choices (
      member_id text COLLATE "C" PRIMARY KEY,
      events text[] NOT NULL,
      -- NULL: every client that the member sees
      digest_client_ids text[],
      -- digests of weeks that had begun by then are not sent
      digested_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE mail_deliveries (
      id text COLLATE "C" PRIMARY KEY,
      member_id text COLLATE "C" NOT NULL,
      type text NOT NULL,
      -- of the event; NULL for a digest
      body text,
      -- of the tokens of links that stop such mail, one for each attempt
      stop_hashes text[] NOT NULL DEFAULT '{}',
      email text,
      status text NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      error text,
      first_attempt_at timestamptz,
      next_attempt_at timestamptz,
      claimed_until timestamptz
    )`
  yield* sql`CREATE INDEX mail_deliveries_due ON mail_deliveries (next_attempt_at) WHERE status = 'pending'`
  yield* sql`CREATE INDEX mail_deliveries_member_id ON mail_deliveries (member_id)`
})
