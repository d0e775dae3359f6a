import { Context, Data, Effect, Record } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { advisoryLock, withLock } from "./AdvisoryLock.ts"
import createMembersAndKeys from "./migrations/0001_create_members_and_keys.ts"
import createConnections from "./migrations/0002_create_connections.ts"
import createCalls from "./migrations/0003_create_calls.ts"
import createResponses from "./migrations/0004_create_responses.ts"
import createSignInAndGrants from "./migrations/0005_create_sign_in_and_grants.ts"
import createAuditAndWebhooks from "./migrations/0006_create_audit_and_webhooks.ts"
import createUndoAndApprovals from "./migrations/0007_create_undo_and_approvals.ts"
import createQuotasDatasetsAndSandbox from "./migrations/0008_create_quotas_datasets_and_sandbox.ts"
import boundApprovalsAndUndo from "./migrations/0009_bound_approvals_and_undo.ts"
import boundLinksAndNameSharedTokens from "./migrations/0010_bound_links_and_name_shared_tokens.ts"
import rememberReachAndSignIns from "./migrations/0011_remember_reach_and_sign_ins.ts"
import encryptLoggedBodies from "./migrations/0012_encrypt_logged_bodies.ts"
import tellPartsOfResults from "./migrations/0013_tell_parts_of_results.ts"
import tellManyAccountsApart from "./migrations/0014_tell_many_accounts_apart.ts"
import findRemovedSecrets from "./migrations/0019_find_removed_secrets.ts"
import makeKeysForClients from "./migrations/0020_make_keys_for_clients.ts"
import countRefusedCalls from "./migrations/0021_count_refused_calls.ts"
import tellWhoMadeLinks from "./migrations/0022_tell_who_made_links_and_narrowed_bounds.ts"

const lock = advisoryLock("migrations", 7_226_914)

/** Migrations by number and name, such as `0001_create_members_and_keys`. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>>

/** The oldest ones also create tables that now belong to features. */
const coreMigrations: Migrations = {
  "0001_create_members_and_keys": createMembersAndKeys,
  "0002_create_connections": createConnections,
  "0003_create_calls": createCalls,
  "0004_create_responses": createResponses,
  "0005_create_sign_in_and_grants": createSignInAndGrants,
  "0006_create_audit_and_webhooks": createAuditAndWebhooks,
  "0007_create_undo_and_approvals": createUndoAndApprovals,
  "0008_create_quotas_datasets_and_sandbox": createQuotasDatasetsAndSandbox,
  "0009_bound_approvals_and_undo": boundApprovalsAndUndo,
  "0010_bound_links_and_name_shared_tokens": boundLinksAndNameSharedTokens,
  "0011_remember_reach_and_sign_ins": rememberReachAndSignIns,
  "0012_encrypt_logged_bodies": encryptLoggedBodies,
  "0013_tell_parts_of_results": tellPartsOfResults,
  "0014_tell_many_accounts_apart": tellManyAccountsApart,
  "0019_find_removed_secrets": findRemovedSecrets,
  "0020_make_keys_for_clients": makeKeysForClients,
  "0021_count_refused_calls": countRefusedCalls,
  "0022_tell_who_made_links_and_narrowed_bounds": tellWhoMadeLinks
}

/**
 * The migrations of features, numbered together with the core's. Includes features that are left out, because a
 * database runs no migration with a lower number than its last one.
 */
export const FeatureMigrations = Context.Reference<ReadonlyArray<Migrations>>("openaccounts/Sql/FeatureMigrations", {
  defaultValue: () => []
})

const allMigrations = Effect.map(
  FeatureMigrations,
  (features): Migrations => features.reduce((all, migrations) => ({ ...all, ...migrations }), coreMigrations)
)

/** An unreleased version made the database. Its tables do not fit, and no migration leads from them to these. */
export class DatabaseUnreleased extends Data.TaggedError("DatabaseUnreleased")<{ readonly message: string }> {}

const unreleased = new DatabaseUnreleased({
  message: "The database was made by an earlier, unreleased version of OpenAccounts and cannot be migrated. " +
    "Nothing in it was changed. Make a fresh start: set DATA_DIR to a new folder, " +
    "or DATABASE_URL to an empty database"
})

const namesOf = (migrations: Migrations) =>
  new Map(Object.keys(migrations).map((key) => [Number.parseInt(key, 10), key.replace(/^\d+_/, "")]))

/** Accepts unknown migrations: a newer version or an unknown feature may have added them. */
export const requireKnownMigrations = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT 1 WHERE to_regclass('effect_sql_migrations') IS NOT NULL`
  if (tables.length === 0) return
  const known = namesOf(yield* allMigrations)
  const applied = yield* sql<{ readonly id: number; readonly name: string }>`
    SELECT migration_id AS id, name FROM effect_sql_migrations`
  if (applied.some(({ id, name }) => known.has(id) && known.get(id) !== name)) return yield* unreleased
})

/** An applied migration that this version does not have. */
export class DatabaseNewer extends Data.TaggedError("DatabaseNewer")<{ readonly message: string }> {}

/** The migrations that were applied, in order, such as `0001_create_members_and_keys`. */
export const appliedMigrations = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly id: number; readonly name: string }>`
      SELECT migration_id AS id, name FROM effect_sql_migrations ORDER BY migration_id`,
    (rows) => rows.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`)
  ))

const run = (migrations: Migrations) =>
  withLock(
    lock,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* requireKnownMigrations
      // The migrator's check for this table fails without it, which would abort the transaction.
      yield* sql`
        CREATE TABLE IF NOT EXISTS effect_sql_migrations (
          migration_id integer PRIMARY KEY,
          created_at timestamptz NOT NULL DEFAULT now(),
          name text NOT NULL
        )`
      yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations) })
    })
  )

export const migrate = Effect.flatMap(allMigrations, run)

/** Runs only the migrations that another database has. */
export const migrateTo = Effect.fnUntraced(function*(applied: ReadonlyArray<string>) {
  const migrations = yield* allMigrations
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown !== undefined) {
    return yield* new DatabaseNewer({
      message:
        `The copy is of another version of OpenAccounts, with the migration ${unknown}. Use that version or a later one`
    })
  }
  yield* run(Record.filter(migrations, (_, name) => applied.includes(name)))
})
