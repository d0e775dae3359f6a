import { DateTime, Duration, Schema } from "effect"
import { maxOf } from "./Lists.ts"
import { scopesNotGranted } from "./ScopeMeaning.ts"
import { Timestamp } from "./Validation/Fields.ts"

export const HealthCode = Schema.Literals(["testing_mode", "unused", "scopes_missing", "resource_lost", "failing"])
export type HealthCode = typeof HealthCode.Type

export const HealthReason = Schema.Struct({
  code: HealthCode,
  message: Schema.String.annotate({ description: "For people: what is wrong, and what helps." }),
  expected_at: Schema.NullOr(Timestamp).annotate({
    description: "When the connection is expected to stop working; null if that is not known."
  })
}).annotate({ identifier: "HealthReason" })
export type HealthReason = typeof HealthReason.Type

export const Health = Schema.Struct({
  state: Schema.Literals(["ok", "at_risk", "broken"]),
  reasons: Schema.Array(HealthReason)
}).annotate({
  identifier: "Health",
  description: "`broken` is an expired connection, or one whose credentials are rejected. A revoked one is `ok`."
})
export type Health = typeof Health.Type

/** What is stored for the health of a connection, besides the connection itself. */
export interface HealthFacts {
  /** When the provider ends the refresh token, if it has said so. */
  readonly refresh_expires_at: Date | null
  /** `null` if they are not known. */
  readonly asked_scopes: ReadonlyArray<string> | null
  /** Bound resources that the account did not list the last time. */
  readonly lost_resources: ReadonlyArray<string>
  /** When the refresh token was stored or used last. */
  readonly token_used_at: Date | null
  readonly tried_at: Date | null
}

export const noFacts: HealthFacts = {
  refresh_expires_at: null,
  asked_scopes: null,
  lost_resources: [],
  token_used_at: null,
  tried_at: null
}

interface Subject {
  readonly auth_type: string
  readonly status: "active" | "expired" | "revoked"
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string> | null
  readonly last_error: { readonly code: string } | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

/** Google ends a refresh token that was not used for six months: https://developers.google.com/identity/protocols/oauth2 */
const monthsUntilEnd = 6
const monthsUntilRisk = 5

/** No five months are shorter. */
const shortestRisk = Duration.toMillis(Duration.days(150))

/** `now` is in epoch milliseconds. */
export const healthOf = (connection: Subject, facts: HealthFacts, now: number): Health => {
  const { last_error, status } = connection
  if (status === "revoked") return { state: "ok", reasons: [] }
  const reasons = [
    ...limitedSignIn(connection, facts),
    ...unusedSignIn(connection, facts, now),
    ...missingScopes(connection, facts),
    ...lostResources(connection, facts),
    ...status === "expired" || last_error !== null
      ? [reason("failing", failures[status === "expired" ? "credentials_expired" : last_error?.code ?? ""] ?? unknown)]
      : []
  ]
  const isBroken = status === "expired" || last_error?.code.startsWith("credentials_") === true
  return { state: isBroken ? "broken" : reasons.length > 0 ? "at_risk" : "ok", reasons }
}

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
  const uses = [created_at, facts.token_used_at, ...last_error === null ? [last_used_at, facts.tried_at] : []]
  const usedMillis = maxOf(uses.map((at) => at?.getTime() ?? 0))
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

const unknown = "The last call or test failed."

const failures: Readonly<Record<string, string>> = {
  credentials_expired: "The provider no longer accepts this sign-in: access was revoked or has expired. Reconnect.",
  credentials_rejected: "The provider rejects the credentials. Check them at the provider, or reconnect.",
  upstream_unreachable: "The provider could not be reached by the last call or test."
}
