import type { ErrorCase } from "./ErrorCase.ts"

type Row = Pick<ErrorCase, "status" | "body" | "oauth" | "account">

const oauthError = (error: string, error_description: string, more: object = {}) => ({
  error,
  error_description,
  ...more
})

const invalidGrant = (description: string, more: object = {}): Row => ({
  status: 400,
  body: oauthError("invalid_grant", description, more),
  oauth: "credentials_expired",
  account: "credentials_rejected"
})

const refused = (status: number, error: string, description: string): Row => ({
  status,
  body: oauthError(error, description),
  oauth: "credentials_rejected",
  account: "credentials_rejected"
})

const mixed = (status: number, error: string, description: string): Row => ({
  status,
  body: oauthError(error, description),
  oauth: "upstream_error",
  account: "credentials_rejected"
})

const temporary = (status: number, body: unknown): Row => ({
  status,
  body,
  oauth: "upstream_error",
  account: "upstream_error"
})

const rows: ReadonlyArray<Row> = [
  invalidGrant("Token has been expired or revoked."),
  invalidGrant("reauth related error (invalid_rapt)", { error_subtype: "invalid_rapt" }),
  invalidGrant("Not a valid email."),
  invalidGrant("Invalid email or User ID"),
  invalidGrant("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe."),
  invalidGrant("Invalid JWT Signature."),
  invalidGrant("Invalid grant: account not found"),
  invalidGrant("Invalid JWT: Failed audience check."),
  refused(401, "invalid_client", "Unauthorized"),
  refused(401, "unauthorized_client", "Unauthorized client or scope in request."),
  refused(401, "unauthorized_client", "Client is unauthorized to retrieve access tokens using this method."),
  refused(401, "deleted_client", "The OAuth client was deleted."),
  refused(400, "admin_policy_enforced", "Access to your account data is restricted by policies."),
  mixed(401, "disabled_client", "The OAuth client was disabled."),
  mixed(403, "access_denied", "Requested client not authorized."),
  mixed(403, "org_internal", "The client is restricted to users of its organization."),
  mixed(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
  mixed(400, "invalid_request", "Missing required parameter: refresh_token"),
  mixed(400, "unsupported_grant_type", "Invalid grant_type"),
  temporary(429, { error: "rate_limit_exceeded", error_description: "Too many requests" }),
  temporary(500, { error: "server_error" }),
  temporary(500, "<html><title>Error 500 (Server Error)!!1</title>"),
  temporary(404, "<html><title>Error 404 (Not Found)!!1</title>")
]

export const tokenErrors: ReadonlyArray<ErrorCase> = rows.map((row) => ({
  ...row,
  name: `${row.status} ${JSON.stringify(row.body)}`,
  provider: "token"
}))
