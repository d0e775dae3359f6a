import { Clock, Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Resources } from "../../Domain/Access/Resource.ts"
import { ManagedConnection, type StoredConnection } from "../../Domain/Connection.ts"
import { type FindRisks, HealthFacts, healthOf, noRisks } from "../../Domain/Health.ts"
import { rowsOf } from "../../Sql/Rows.ts"

type Statement = Parameters<typeof rows.all>[0]

/** `all` and `first` decode `columns`, with the health at the time of the statement. */
export const makeConnectionRows = (sql: SqlClient.SqlClient) => {
  const ofParent = (column: string) =>
    sql`(SELECT parent.${sql(column)} FROM connections AS parent WHERE parent.id = connections.parent_id)`
  const inherited = (column: string) =>
    sql`CASE WHEN parent_id IS NULL THEN ${sql(column)} ELSE ${ofParent(column)} END`
  const status = sql`CASE WHEN parent_id IS NULL OR status = 'revoked' THEN status ELSE ${ofParent("status")} END`

  const columns = sql`id, provider, ${inherited("auth_type")} AS auth_type, label, client_id,
      ${inherited("external_account")} AS external_account, ${inherited("scopes")} AS scopes, ${status} AS status,
      ${inherited("last_error")} AS last_error, resources, parent_id, ${ofParent("resources")} AS parent_resources,
      last_used_at, created_at, ${inherited("refresh_expires_at")} AS refresh_expires_at,
      ${inherited("asked_scopes")} AS asked_scopes, lost_resources,
      ${inherited("token_used_at")} AS token_used_at, ${inherited("tried_at")} AS tried_at`

  let findRisks = noRisks

  const withHealth = (now: number) => (row: Effect.Success<ReturnType<typeof rows.all>>[number]): StoredConnection => {
    const { asked_scopes, lost_resources, refresh_expires_at, token_used_at, tried_at, ...connection } = row
    const facts = { asked_scopes, lost_resources, refresh_expires_at, token_used_at, tried_at }
    return { ...connection, health: healthOf(connection, findRisks(connection, facts, now)) }
  }

  return {
    columns,
    status,
    all: (statement: Statement): Effect.Effect<ReadonlyArray<StoredConnection>> =>
      Effect.zipWith(rows.all(statement), Clock.currentTimeMillis, (found, now) => found.map(withHealth(now))),
    first: (statement: Statement): Effect.Effect<Option.Option<StoredConnection>> =>
      Effect.zipWith(
        rows.first(statement),
        Clock.currentTimeMillis,
        (found, now) => Option.map(found, withHealth(now))
      ),
    watch: (find: FindRisks): Effect.Effect<void> =>
      Effect.sync(() => {
        findRisks = find
      })
  }
}

const rows = rowsOf(
  ManagedConnection.mapFields(({ health: _health, ...fields }) => ({
    ...fields,
    parent_resources: Resources,
    last_used_at: Schema.NullOr(Schema.Date),
    created_at: Schema.Date,
    ...HealthFacts.fields
  }))
)

export type ConnectionRows = ReturnType<typeof makeConnectionRows>
