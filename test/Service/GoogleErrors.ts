import type { ErrorCase, Outcome } from "./ErrorCase.ts"

type Row = readonly [name: string, status: number, body: unknown, oauth?: Outcome, account?: Outcome]

const info = (reason: string, metadata: object = {}) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "googleapis.com",
  metadata
})

const violation = (field: string, description: string) => ({
  "@type": "type.googleapis.com/google.rpc.BadRequest",
  fieldViolations: [{ field, description }]
})

const newer = (code: number, status: string, message: string, ...details: ReadonlyArray<object>) => ({
  error: { code, message, status, ...(details.length === 0 ? {} : { details }) }
})

const older = (code: number, reason: string, message: string, more: object = {}, domain = "global") => ({
  error: { code, message, errors: [{ message, domain, reason }], ...more }
})

const invalid = (message: string, ...details: ReadonlyArray<object>): Row => [
  message,
  400,
  newer(400, "INVALID_ARGUMENT", message, ...details)
]

const unauthenticated = (reason: string, ...details: ReadonlyArray<object>): Row => [
  `401 ${reason}`,
  401,
  newer(401, "UNAUTHENTICATED", noToken, ...details),
  "credentials_expired",
  "credentials_rejected"
]

/** An OAuth user lacks access to one resource. A service account was not given access. */
const denied = (message: string, reason = ""): Row => [
  `403 ${reason} ${message}`,
  403,
  newer(403, "PERMISSION_DENIED", message, ...(reason === "" ? [] : [info(reason)])),
  "upstream_error",
  "credentials_rejected"
]

const spent = (reason: string): Row => [
  `403 ${reason}`,
  403,
  older(403, reason, "Quota exceeded.", {}, "usageLimits")
]

const exhausted = (message: string): Row => [
  message,
  429,
  newer(429, "RESOURCE_EXHAUSTED", message)
]

const passing = (status: number, name: string): Row => [
  `${status} ${name}`,
  status,
  newer(status, name, "Please try again.")
]

const page = (status: number, text: string): Row => [
  `${status} with a page: ${text}`,
  status,
  `<!DOCTYPE html><html lang=en><title>Error ${status}</title><p>${text}${"<!-- -->".repeat(400)}`
]

const noPermission = "The caller does not have permission"
const noToken =
  "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other " +
  "valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
const notOnSite = "User does not have sufficient permission for site 'https://example.com/'. See also: " +
  "https://support.google.com/webmasters/answer/2451999."
const notOnProperty = "User does not have sufficient permissions for this property."
const fewScopes = "Request had insufficient authentication scopes."
const notEnabled = "Google Analytics Admin API has not been used in project 1 before or it is disabled."
const scopeInsufficient = info("ACCESS_TOKEN_SCOPE_INSUFFICIENT", { service: "sheets.googleapis.com" })

const gsc: ReadonlyArray<Row> = [
  ["a site of others", 403, older(403, "forbidden", notOnSite), "upstream_error", "credentials_rejected"],
  denied("You do not own this site, or the inspected URL is not part of this property."),
  ["an older 401", 401, older(401, "authError", "Invalid Credentials"), "credentials_expired", "credentials_rejected"],
  [
    "too few scopes, the older way",
    403,
    older(403, "insufficientPermissions", "Insufficient Permission"),
    "credentials_rejected",
    "credentials_rejected"
  ],
  ...["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"].map(spent),
  [
    "throttling that calls itself a denial",
    403,
    older(403, "rateLimitExceeded", "Quota exceeded.", { status: "PERMISSION_DENIED" })
  ],
  invalid("Duplicate dimensions are not allowed."),
  invalid("Cannot group by search appearance dimension together with another dimension."),
  invalid("Grouping by HOUR requires setting dataState=HOURLY_ALL"),
  invalid("'BY_PROPERTY' is not a valid aggregation type in the context of the request."),
  ["an older 500", 500, older(500, "backendError", "Backend Error")],
  page(403, "You're not allowed to see this page."),
  page(404, "The requested URL was not found on this server. That's all we know."),
  page(429, "We're sorry, but your computer may be sending automated queries.")
]

const ga4: ReadonlyArray<Row> = [
  denied(notOnProperty),
  denied(`${notOnProperty} To learn more about Property ID, see https://developers.google.com/analytics.`),
  denied(notEnabled, "SERVICE_DISABLED"),
  [
    "an API that is not enabled, the older way",
    403,
    older(403, "accessNotConfigured", notEnabled, { status: "PERMISSION_DENIED" }, "usageLimits"),
    "upstream_error",
    "credentials_rejected"
  ],
  invalid("Field X is not a valid dimension. Did you mean city?"),
  invalid("A dateRange is required."),
  exhausted("Exhausted property tokens for a project per hour."),
  exhausted("Exhausted property tokens per day"),
  exhausted("Exhausted concurrent requests quota."),
  exhausted("Exhausted potentially thresholded requests quota."),
  exhausted("Exhausted server errors quota.")
]

const gsheets: ReadonlyArray<Row> = [
  denied(noPermission),
  ...["USER_BLOCKED_BY_ADMIN", "CONSUMER_SUSPENDED", "CONSUMER_INVALID", "USER_PROJECT_DENIED", "BILLING_DISABLED"]
    .map((reason) => denied(noPermission, reason)),
  [
    "too few scopes",
    403,
    {
      error: {
        ...older(403, "insufficientPermissions", fewScopes).error,
        status: "PERMISSION_DENIED",
        details: [scopeInsufficient]
      }
    },
    "credentials_rejected",
    "credentials_rejected"
  ],
  [
    "too few scopes, the newer way",
    403,
    newer(403, "PERMISSION_DENIED", fewScopes, scopeInsufficient),
    "credentials_rejected",
    "credentials_rejected"
  ],
  spent("storageQuotaExceeded"),
  unauthenticated("without a reason"),
  ...["CREDENTIALS_MISSING", "ACCESS_TOKEN_EXPIRED", "ACCOUNT_STATE_INVALID", "ACCESS_TOKEN_TYPE_UNSUPPORTED"]
    .map((reason) => unauthenticated(reason, info(reason))),
  invalid("API key not valid. Please pass a valid API key.", info("API_KEY_INVALID")),
  invalid("Request contains an invalid argument.", violation("fields", "Cannot find matching fields for path 'a'.")),
  invalid("'valueInputOption' is required but not specified"),
  invalid("Request range[Sheet1!A1:B2] does not match value's range[Sheet1!A1]"),
  invalid("Requested writing within range [Sheet1!A1:B1], but tried writing to column [C]"),
  invalid("Invalid requests[0].repeatCell: At least one field must be listed in 'fields'."),
  [
    "throttling, the newer way",
    403,
    newer(403, "PERMISSION_DENIED", "Quota exceeded.", info("RATE_LIMIT_EXCEEDED"))
  ],
  ["401 with a page", 401, "<html><title>401</title>", "credentials_expired", "credentials_rejected"],
  passing(409, "ABORTED"),
  passing(499, "CANCELLED"),
  passing(500, "INTERNAL"),
  passing(503, "UNAVAILABLE"),
  passing(504, "DEADLINE_EXCEEDED"),
  page(502, "That’s an error. The server encountered a temporary error.")
]

const gdocs: ReadonlyArray<Row> = [
  [
    "an Office file",
    400,
    newer(400, "FAILED_PRECONDITION", "This operation is not supported for this document.")
  ],
  invalid(
    "Invalid requests[0].insertText: Index 9999999 must be less than the end index of the referenced segment, 26."
  ),
  invalid("Invalid requests[0].insertText: The insertion index must be inside the bounds of an existing paragraph."),
  invalid("Invalid requests[1].deleteContentRange: Invalid range: end index cannot be less than start index"),
  invalid(
    "Invalid JSON payload received. Unknown name \"frobnicate\" at 'requests[0]': Cannot find field.",
    violation("requests[0]", "Invalid JSON payload received.")
  ),
  invalid("Must specify at least one request."),
  invalid("The required revision ID 'a' does not match the latest revision."),
  [
    "nothing there",
    404,
    newer(404, "NOT_FOUND", "Requested entity was not found.")
  ],
  ["an answer of another form", 403, { error: "access_denied" }]
]

export const googleErrors: ReadonlyArray<ErrorCase> = Object.entries({ gsc, ga4, gsheets, gdocs }).flatMap(
  ([provider, rows]) =>
    rows.map(([name, status, body, oauth = "upstream_error", account = "upstream_error"]) => ({
      name,
      provider,
      status,
      body,
      oauth,
      account
    }))
)
