import type { ErrorCase, Outcome } from "./ErrorCase.ts"

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
