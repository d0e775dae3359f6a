import { DateTime, Duration } from "effect"
import type { FindRisks, HealthCode, HealthFacts, HealthReason, Subject } from "../../Domain/Health.ts"
import { maxOf } from "../../Domain/Lists.ts"
import { scopesNotGranted } from "../../Domain/ScopeMeaning.ts"

/** Google ends a refresh token that was not used for six months: https://developers.google.com/identity/protocols/oauth2 */
const monthsUntilEnd = 6
const monthsUntilRisk = 5

/** Five months are never shorter. */
const shortestRisk = Duration.toMillis(Duration.days(150))

export const findRisks: FindRisks = (connection, facts, now) => [
  ...limitedSignIn(connection, facts),
  ...unusedSignIn(connection, facts, now),
  ...missingScopes(connection, facts),
  ...lostResources(connection, facts),
  ...lastFailure(connection)
]

const reason = (code: HealthCode, message: string, expected_at: Date | null = null): HealthReason => ({
  code,
  message,
  expected_at
})

const limitedSignIn = ({ auth_type }: Subject, { refresh_expires_at }: HealthFacts): ReadonlyArray<HealthReason> =>
  auth_type !== "oauth" || refresh_expires_at === null ? [] : [reason(
    "testing_mode",
    "The provider ends this sign-in at a fixed time: the consent screen of your OAuth application is in \"Testing\", or " +
      "the person allowed access for a limited time. Publish the consent screen, then reconnect.",
    refresh_expires_at
  )]

const unusedSignIn = (connection: Subject, facts: HealthFacts, now: number): ReadonlyArray<HealthReason> => {
  const { auth_type, created_at, last_error, last_used_at } = connection
  if (auth_type !== "oauth" || now - created_at.getTime() < shortestRisk) return []
  // Without an error of the connection, the last use and the last try were successful.
  const usedAt = [created_at, facts.token_used_at, ...last_error === null ? [last_used_at, facts.tried_at] : []]
  const usedMillis = maxOf(usedAt.map((at) => at?.getTime() ?? 0))
  if (now - usedMillis < shortestRisk) return []
  const used = DateTime.makeUnsafe(usedMillis)
  if (now < DateTime.toEpochMillis(DateTime.add(used, { months: monthsUntilRisk }))) return []
  return [reason(
    "unused",
    `This sign-in was not used for ${monthsUntilRisk} months. Google ends it after ${monthsUntilEnd} months without use. ` +
      "Test the connection, or reconnect it.",
    DateTime.toDateUtc(DateTime.add(used, { months: monthsUntilEnd }))
  )]
}

const missingScopes = ({ scopes }: Subject, { asked_scopes }: HealthFacts): ReadonlyArray<HealthReason> => {
  const missing = scopesNotGranted(asked_scopes ?? [], scopes)
  return missing.length === 0 ? [] : [reason(
    "scopes_missing",
    `The person did not allow all access that was asked for. Missing: ${
      someOf(missing)
    }. Reconnect, and allow everything.`
  )]
}

const lostResources = ({ resources }: Subject, { lost_resources }: HealthFacts): ReadonlyArray<HealthReason> => {
  const lost = lost_resources.filter((resource) => resources?.includes(resource))
  return lost.length === 0 ? [] : [reason(
    "resource_lost",
    `The account no longer lists ${someOf(lost)}. Ask its owner for access, or change the resources of the connection.`
  )]
}

const someOf = (names: ReadonlyArray<string>): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`

/** Leaves out errors of credentials, which break or expire the connection and are shown as such. */
const lastFailure = ({ last_error, status }: Subject): ReadonlyArray<HealthReason> => {
  if (last_error === null || status === "expired" || last_error.code.startsWith("credentials_")) return []
  return [reason(
    "failing",
    last_error.code === "upstream_unreachable"
      ? "The provider could not be reached by the last call or test."
      : "The last call or test failed."
  )]
}
