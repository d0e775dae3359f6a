import { Schema } from "effect"
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
export const HealthFacts = Schema.Struct({
  /** When the provider ends the refresh token, if it has said so. */
  refresh_expires_at: Schema.NullOr(Schema.Date),
  /** `null` if they are not known. */
  asked_scopes: Schema.NullOr(Schema.Array(Schema.String)),
  /** Bound resources that the account did not list the last time. */
  lost_resources: Schema.Array(Schema.String),
  /** When the refresh token was stored or used last. */
  token_used_at: Schema.NullOr(Schema.Date),
  tried_at: Schema.NullOr(Schema.Date)
})
export type HealthFacts = typeof HealthFacts.Type

export const noFacts: HealthFacts = {
  refresh_expires_at: null,
  asked_scopes: null,
  lost_resources: [],
  token_used_at: null,
  tried_at: null
}

export interface Subject {
  readonly auth_type: string
  readonly status: "active" | "expired" | "revoked"
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string> | null
  readonly last_error: { readonly code: string } | null
  readonly last_used_at: Date | null
  readonly created_at: Date
}

/** Why a connection that is not revoked is at risk. `now` is in epoch milliseconds. */
export type FindRisks = (connection: Subject, facts: HealthFacts, now: number) => ReadonlyArray<HealthReason>

export const noRisks: FindRisks = () => []

export const healthOf = (connection: Subject, risks: ReadonlyArray<HealthReason>): Health => {
  const { last_error, status } = connection
  if (status === "revoked") return { state: "ok", reasons: [] }
  if (status === "expired") return broken(risks, "credentials_expired")
  if (last_error?.code === "credentials_expired" || last_error?.code === "credentials_rejected") {
    return broken(risks, last_error.code)
  }
  return { state: risks.length > 0 ? "at_risk" : "ok", reasons: risks }
}

const broken = (risks: ReadonlyArray<HealthReason>, code: keyof typeof failures): Health => ({
  state: "broken",
  reasons: [...risks, { code: "failing", message: failures[code], expected_at: null }]
})

const failures = {
  credentials_expired: "The provider no longer accepts this sign-in: access was revoked or has expired. Reconnect.",
  credentials_rejected: "The provider rejects the credentials. Check them at the provider, or reconnect."
}
