import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE audit (
      id text COLLATE "C" PRIMARY KEY,
      at timestamptz NOT NULL,
      actor_type text NOT NULL,
      member_id text COLLATE "C",
      action text NOT NULL,
      subject_type text NOT NULL,
      subject_id text COLLATE "C",
      address text,
      details jsonb NOT NULL,
      key_id text COLLATE "C"
    )`
  yield* sql`CREATE INDEX ON audit (at, id)`
  yield* sql`CREATE INDEX ON audit (member_id, at, id)`
  yield* sql`CREATE INDEX ON audit (subject_id, at, id)`
  yield* sql`CREATE INDEX ON audit (action, at, id)`
  yield* sql`CREATE INDEX ON audit (key_id, at, id) WHERE key_id IS NOT NULL`

  yield* sql`
    CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The audit is append-only: its entries cannot be changed or deleted';
    END $$`
  yield* sql`
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()`

  yield* sql`
    CREATE TABLE webhooks (
      id text COLLATE "C" PRIMARY KEY,
      url text NOT NULL,
      events text[] NOT NULL,
      enabled boolean NOT NULL,
      -- encrypted with the key of encryption_key_id
      secret bytea NOT NULL,
      encryption_key_id text NOT NULL,
      created_at timestamptz NOT NULL,
      last_delivery_at timestamptz,
      failing_since timestamptz
    )`

  yield* sql`
    CREATE TABLE events (
      id text COLLATE "C" PRIMARY KEY,
      type text NOT NULL,
      body text NOT NULL,
      -- replaces body when the first delivery adds a secret to it
      sealed_body bytea,
      encryption_key_id text
    )`

  yield* sql`
    CREATE TABLE deliveries (
      webhook_id text COLLATE "C" NOT NULL,
      event_id text COLLATE "C" NOT NULL,
      -- what the event is about
      subject_id text COLLATE "C" NOT NULL,
      status text NOT NULL,
      attempts integer NOT NULL,
      http_status integer,
      first_attempt_at timestamptz,
      -- NULL unless pending
      next_attempt_at timestamptz,
      -- end of the claim of the instance that makes an attempt
      claimed_until timestamptz,
      -- why the last attempt failed; NULL before the first one and after a success
      error text,
      PRIMARY KEY (webhook_id, event_id)
    )`
  yield* sql`CREATE INDEX ON deliveries (event_id)`
  yield* sql`CREATE INDEX ON deliveries (webhook_id, next_attempt_at) WHERE status = 'pending'`
  yield* sql`CREATE INDEX ON deliveries (webhook_id, subject_id, event_id) WHERE status = 'pending'`
})
