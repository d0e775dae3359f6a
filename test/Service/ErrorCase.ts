import { type Answer, errorIn } from "../support/Answer.ts"

export type Outcome =
  | "upstream_error"
  | "credentials_rejected"
  | "resource_not_shared"
  | "credentials_expired"
  | "upstream_unreachable"

export interface ErrorCase {
  readonly name: string
  readonly provider: string
  readonly status: number
  readonly body: unknown
  readonly oauth: Outcome
  readonly account: Outcome
}

export const expectedError = (outcome: Outcome, { body, status }: Pick<ErrorCase, "body" | "status">) => {
  const details = typeof body === "string" ? { body: body.slice(0, 2000) } : body
  switch (outcome) {
    case "upstream_error":
      return { status: status < 400 ? 502 : status, code: outcome, details }
    case "credentials_rejected":
      return { status: 502, code: outcome, details }
    case "resource_not_shared":
      return { status: 502, code: "credentials_rejected", details: { reason: outcome } }
    case "credentials_expired":
      return { status: 401, code: outcome, details: undefined }
    case "upstream_unreachable":
      return { status: 502, code: outcome, details: undefined }
  }
}

export const actualError = (
  answer: Answer
): { readonly status: number; readonly code: string; readonly details: unknown } => {
  const { code, details } = errorIn(answer)
  const { reason } = Object(details)
  return { status: answer.status, code, details: reason === "resource_not_shared" ? { reason } : details }
}

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

/** Codes above 16 are undocumented. */
const codes: ReadonlyArray<readonly [code: number, message: string, oauth?: Outcome, apiKey?: Outcome]> = [
  [1, "InternalError"],
  [2, "You have exceeded your daily url submission quota : 100"],
  [3, "InvalidApiKey", "credentials_rejected", "credentials_rejected"],
  [4, "ThrottleUser"],
  [6, "UserBlocked", "credentials_rejected", "credentials_rejected"],
  [7, "InvalidUrl"],
  [10, "UserNotFound", "credentials_rejected", "credentials_rejected"],
  [14, "NotAuthorized"],
  [18, "InvalidToken", "credentials_expired", "credentials_rejected"],
  [81_058, "AlreadyPresent"]
]

const provider = "sitesearch"

/** The provider sometimes sends errors with status 200. */
const testedUnder200 = new Set([3, 14, 18])

export const sitesearchErrors: ReadonlyArray<ErrorCase> = [
  ...codes.flatMap(([code, message, oauth = "upstream_error", account = "upstream_error"]) =>
    (testedUnder200.has(code) ? [400, 200] : [400]).map((status): ErrorCase => ({
      name: `${code} ${message} under ${status}`,
      provider,
      status,
      body: { ErrorCode: code, Message: `ERROR!!! ${message}` },
      oauth,
      account
    }))
  ),
  {
    name: "a fault of the framework",
    provider,
    status: 500,
    body: {
      ExceptionDetail: null,
      ExceptionType: null,
      Message: "The server was unable to process.",
      StackTrace: null
    },
    oauth: "upstream_error",
    account: "upstream_error"
  },
  ...[403, 404, 405].map((status): ErrorCase => ({
    name: `${status} with a page`,
    provider,
    status,
    body: "<HTML><HEAD><TITLE>Service</TITLE></HEAD><BODY>Endpoint not found.</BODY></HTML>",
    oauth: "upstream_error",
    account: "upstream_error"
  })),
  ...[200, 202].map((status): ErrorCase => ({
    name: `${status} with an empty body`,
    provider,
    status,
    body: "",
    oauth: "upstream_unreachable",
    account: "upstream_unreachable"
  }))
]
