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
      details jsonb NOT NULL
    )`
  yield* sql`CREATE INDEX ON audit (at, id)`
  yield* sql`CREATE INDEX ON audit (member_id, at, id)`
  yield* sql`CREATE INDEX ON audit (subject_id, at, id)`
  yield* sql`CREATE INDEX ON audit (action, at, id)`

  yield* sql`
    CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The audit is append-only: its entries cannot be changed or deleted';
    END $$`
  yield* sql`
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()`

  // NULL in rows of earlier versions, which have only the admin token.
  yield* sql`ALTER TABLE authorizations ADD COLUMN actor_type text, ADD COLUMN member_id text COLLATE "C"`
})
