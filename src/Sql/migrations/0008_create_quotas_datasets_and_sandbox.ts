import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Half-empty pages leave room for updates in place.
  yield* sql`
    CREATE TABLE quota_buckets (
      -- a quota and the SHA-256 of what it is counted for
      key text COLLATE "C" PRIMARY KEY,
      -- counts the changes, from a random number
      version integer NOT NULL,
      -- JSON
      bucket text NOT NULL,
      ends_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX ON quota_buckets (ends_at)`

  yield* sql`
    CREATE TABLE quota_uses (
      connection_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      quota text NOT NULL,
      resource text,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (connection_id, key)
    )`
  yield* sql`CREATE INDEX ON quota_uses (ends_at)`

  yield* sql`
    CREATE TABLE datasets (
      id text COLLATE "C" PRIMARY KEY,
      connection_id text COLLATE "C" NOT NULL,
      -- takes turns at quotas as this member; '' for the admin token
      member_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      report text NOT NULL,
      resource text NOT NULL,
      dimensions text[] NOT NULL,
      metrics text[] NOT NULL,
      since text NOT NULL,
      schedule text,
      paused boolean NOT NULL,
      created_at timestamptz NOT NULL,
      last_error jsonb,
      -- in a row
      failures integer NOT NULL,
      failed boolean NOT NULL,
      -- when it is worked on next, or since when; NULL if nothing is left
      due_at timestamptz,
      -- days that were fetched before, and are not final, are fetched again; NULL between runs
      run_started_at timestamptz,
      -- the instance that works on it
      leased_by text,
      leased_until timestamptz
    )`
  yield* sql`CREATE INDEX ON datasets (connection_id)`
  yield* sql`CREATE INDEX ON datasets (due_at) WHERE NOT paused`

  yield* sql`
    CREATE TABLE dataset_days (
      dataset_id text COLLATE "C" NOT NULL,
      day text COLLATE "C" NOT NULL,
      status text NOT NULL,
      rows integer NOT NULL,
      bytes bigint NOT NULL,
      coverage double precision,
      final boolean NOT NULL,
      fetched_at timestamptz,
      PRIMARY KEY (dataset_id, day)
    )`

  yield* sql`
    CREATE TABLE sandbox_values (
      kind text NOT NULL,
      id text NOT NULL,
      value text NOT NULL,
      version bigint NOT NULL,
      PRIMARY KEY (kind, id)
    )`
})
