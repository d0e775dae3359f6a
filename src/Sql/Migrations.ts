import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { withLock } from "./AdvisoryLock.ts"
import createMembers from "./migrations/0001_create_members.ts"
import createConnections from "./migrations/0002_create_connections.ts"
import createCalls from "./migrations/0003_create_calls.ts"
import createResponses from "./migrations/0004_create_responses.ts"
import createSandboxValues from "./migrations/0005_create_sandbox_values.ts"
import createRateLimits from "./migrations/0006_create_rate_limits.ts"
import unlogResponses from "./migrations/0007_unlog_responses.ts"
import indexCalls from "./migrations/0008_index_calls.ts"
import compressFaster from "./migrations/0009_compress_faster.ts"
import moveResponsesOutOfLine from "./migrations/0010_move_responses_out_of_line.ts"
import nameWhatIsTheSame from "./migrations/0011_name_what_is_the_same.ts"
import keepResponsesInTheLog from "./migrations/0012_keep_responses_in_the_log.ts"
import createIdempotencyKeys from "./migrations/0013_create_idempotency_keys.ts"
import keepRefusedCallsSmall from "./migrations/0014_keep_refused_calls_small.ts"
import encryptCachedSecrets from "./migrations/0015_encrypt_cached_secrets.ts"
import countCalls from "./migrations/0016_count_calls.ts"
import createAudit from "./migrations/0017_create_audit.ts"
import makeEmailsUnique from "./migrations/0018_make_emails_unique.ts"
import createSessions from "./migrations/0020_create_sessions.ts"
import addLastError from "./migrations/0023_add_last_error.ts"
import reconnectBySignIn from "./migrations/0024_reconnect_by_sign_in.ts"
import createPasskeys from "./migrations/0025_create_passkeys.ts"
import createOidcAccounts from "./migrations/0026_create_oidc_accounts.ts"
import createGrants from "./migrations/0027_create_grants.ts"
import createOauthClients from "./migrations/0028_create_oauth_clients.ts"
import createConnectLinks from "./migrations/0029_create_connect_links.ts"
import createWebhooks from "./migrations/0030_create_webhooks.ts"
import indexConnectLinks from "./migrations/0032_index_connect_links.ts"
import findHoursOfCalls from "./migrations/0035_find_hours_of_calls.ts"

const run = Migrator.make({})({
  loader: Migrator.fromRecord({
    "0001_create_members": createMembers,
    "0002_create_connections": createConnections,
    "0003_create_calls": createCalls,
    "0004_create_responses": createResponses,
    "0005_create_sandbox_values": createSandboxValues,
    "0006_create_rate_limits": createRateLimits,
    "0007_unlog_responses": unlogResponses,
    "0008_index_calls": indexCalls,
    "0009_compress_faster": compressFaster,
    "0010_move_responses_out_of_line": moveResponsesOutOfLine,
    "0011_name_what_is_the_same": nameWhatIsTheSame,
    "0012_keep_responses_in_the_log": keepResponsesInTheLog,
    "0013_create_idempotency_keys": createIdempotencyKeys,
    "0014_keep_refused_calls_small": keepRefusedCallsSmall,
    "0015_encrypt_cached_secrets": encryptCachedSecrets,
    "0016_count_calls": countCalls,
    "0017_create_audit": createAudit,
    "0018_make_emails_unique": makeEmailsUnique,
    "0020_create_sessions": createSessions,
    "0023_add_last_error": addLastError,
    "0024_reconnect_by_sign_in": reconnectBySignIn,
    "0025_create_passkeys": createPasskeys,
    "0026_create_oidc_accounts": createOidcAccounts,
    "0027_create_grants": createGrants,
    "0028_create_oauth_clients": createOauthClients,
    "0029_create_connect_links": createConnectLinks,
    "0030_create_webhooks": createWebhooks,
    "0032_index_connect_links": indexConnectLinks,
    "0035_find_hours_of_calls": findHoursOfCalls
  })
})

export const migrate = withLock(
  "migrations",
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // The migrator's check for this table fails without it, which would abort the transaction.
    yield* sql`
      CREATE TABLE IF NOT EXISTS effect_sql_migrations (
        migration_id integer PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        name text NOT NULL
      )`
    yield* run
  })
)
