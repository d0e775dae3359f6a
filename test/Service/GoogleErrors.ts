import type { ErrorCase, Outcome } from "./ErrorCase.ts"

type Row = readonly [name: string, status: number, body: unknown, oauth?: Outcome, account?: Outcome]

const info = (reason: string) => ({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason })

const newer = (code: number, status: string, message: string, ...details: ReadonlyArray<object>) => ({
  error: { code, message, status, ...(details.length === 0 ? {} : { details }) }
})

const older = (code: number, reason: string, message: string, more: object = {}) => ({
  error: { code, message, errors: [{ message, domain: "global", reason }], ...more }
})

const passed = (status: number, name: string, message: string): Row => [
  `${status} ${name}`,
  status,
  newer(status, name, message)
]

const unauthenticated = (
  name: string,
  body: unknown
): Row => [`401 ${name}`, 401, body, "credentials_expired", "credentials_rejected"]

/** An OAuth user lacks access to one resource. A service account was not given access. */
const denied = (name: string, body: unknown): Row => [name, 403, body, "upstream_error", "credentials_rejected"]

/** Of files, which have no list that could be refused too. */
const notShared = (name: string, body: unknown): Row => [name, 403, body, "upstream_error", "resource_not_shared"]

const fewScopes = (
  name: string,
  body: unknown
): Row => [name, 403, body, "credentials_rejected", "credentials_rejected"]

const page = (status: number, text: string): Row => [
  `${status} with a page`,
  status,
  `<!DOCTYPE html><html lang=en><title>Error ${status}</title><p>${text}${"<!-- -->".repeat(400)}`
]

const deniedMessage = "The caller does not have permission"

const gsc: ReadonlyArray<Row> = [
  denied("a site of others", older(403, "forbidden", "User does not have sufficient permission for site 'a'.")),
  unauthenticated("the older way", older(401, "authError", "Invalid Credentials")),
  fewScopes("too few scopes, the older way", older(403, "insufficientPermissions", "Insufficient Permission")),
  ...["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"].map((reason): Row => [
    `throttling: ${reason}`,
    403,
    older(403, reason, "Quota exceeded.")
  ]),
  [
    "throttling that calls itself a denial",
    403,
    older(403, "rateLimitExceeded", "Quota exceeded.", { status: "PERMISSION_DENIED" })
  ],
  page(403, "You're not allowed to see this page.")
]

const ga4: ReadonlyArray<Row> = [
  denied(
    "a property of others",
    newer(403, "PERMISSION_DENIED", "User does not have sufficient permissions for this property.")
  ),
  denied(
    "an API that is not enabled, the older way",
    older(403, "accessNotConfigured", "It has not been used before.", { status: "PERMISSION_DENIED" })
  ),
  passed(429, "RESOURCE_EXHAUSTED", "Exhausted property tokens for a project per hour."),
  passed(500, "INTERNAL", "An internal error has occurred."),
  passed(503, "UNAVAILABLE", "The service is currently unavailable.")
]

const gsheets: ReadonlyArray<Row> = [
  notShared("a spreadsheet of others", newer(403, "PERMISSION_DENIED", deniedMessage)),
  denied("a suspended project", newer(403, "PERMISSION_DENIED", deniedMessage, info("CONSUMER_SUSPENDED"))),
  fewScopes(
    "too few scopes, the newer way",
    newer(403, "PERMISSION_DENIED", "Request had insufficient scopes.", info("ACCESS_TOKEN_SCOPE_INSUFFICIENT"))
  ),
  ["a full drive", 403, older(403, "storageQuotaExceeded", "Quota exceeded.")],
  unauthenticated("the newer way", newer(401, "UNAUTHENTICATED", "Invalid.", info("ACCESS_TOKEN_EXPIRED"))),
  unauthenticated("with a page", "<html><title>401</title>"),
  [
    "an invalid field",
    400,
    newer(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "fields", description: "Cannot find matching fields for path 'a'." }]
    })
  ],
  ["throttling, the newer way", 403, newer(403, "PERMISSION_DENIED", "Quota exceeded.", info("RATE_LIMIT_EXCEEDED"))],
  passed(503, "UNAVAILABLE", "Please try again."),
  page(502, "That’s an error. The server encountered a temporary error.")
]

const gdocs: ReadonlyArray<Row> = [
  notShared("a document of others", newer(403, "PERMISSION_DENIED", deniedMessage)),
  passed(404, "NOT_FOUND", "Requested entity was not found."),
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
