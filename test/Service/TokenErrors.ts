import type { ErrorRow } from "./ErrorRow.ts"

type Row = Pick<ErrorRow, "status" | "body" | "oauth" | "account">

const said = (error: string, error_description: string, more: object = {}) => ({ error, error_description, ...more })

/** The grant is dead; a service account has none. */
const dead = (description: string, more: object = {}): Row => ({
  status: 400,
  body: said("invalid_grant", description, more),
  oauth: "credentials_expired",
  account: "credentials_rejected"
})

/** The application or the account is refused, whatever the grant. */
const refused = (status: number, error: string, description: string): Row => ({
  status,
  body: said(error, description),
  oauth: "credentials_rejected",
  account: "credentials_rejected"
})

/** A service account is refused by it, a grant not. */
const faulty = (status: number, error: string, description: string): Row => ({
  status,
  body: said(error, description),
  oauth: "upstream_error",
  account: "credentials_rejected"
})

const passing = (status: number, body: unknown): Row => ({
  status,
  body,
  oauth: "upstream_error",
  account: "upstream_error"
})

const rows: ReadonlyArray<Row> = [
  dead("Token has been expired or revoked."),
  dead("reauth related error (invalid_rapt)", { error_subtype: "invalid_rapt" }),
  dead("Not a valid email."),
  dead("Invalid email or User ID"),
  dead("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe."),
  dead("Invalid JWT Signature."),
  dead("Invalid grant: account not found"),
  dead("Invalid JWT: Failed audience check."),
  refused(401, "invalid_client", "Unauthorized"),
  refused(401, "unauthorized_client", "Unauthorized client or scope in request."),
  refused(401, "unauthorized_client", "Client is unauthorized to retrieve access tokens using this method."),
  refused(401, "deleted_client", "The OAuth client was deleted."),
  refused(400, "admin_policy_enforced", "Access to your account data is restricted by policies."),
  faulty(401, "disabled_client", "The OAuth client was disabled."),
  faulty(403, "access_denied", "Requested client not authorized."),
  faulty(403, "org_internal", "The client is restricted to users of its organization."),
  faulty(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
  faulty(400, "invalid_request", "Missing required parameter: refresh_token"),
  faulty(400, "unsupported_grant_type", "Invalid grant_type"),
  passing(429, { error: "rate_limit_exceeded", error_description: "Too many requests" }),
  passing(500, { error: "server_error" }),
  passing(500, "<html><title>Error 500 (Server Error)!!1</title>"),
  passing(404, "<html><title>Error 404 (Not Found)!!1</title>")
]

/** What Google's token endpoint answers to a refresh (`oauth`) and to an assertion (`account`). */
export const tokenErrors: ReadonlyArray<ErrorRow> = rows.map((row) => ({
  ...row,
  what: `${row.status} ${JSON.stringify(row.body)}`,
  provider: "token"
}))
