import type { ErrorRow, Outcome } from "./ErrorRow.ts"

/** The provider's codes; those beyond 16 are seen but not documented. */
const codes: ReadonlyArray<readonly [code: number, message: string, oauth?: Outcome, apiKey?: Outcome]> = [
  [1, "InternalError"],
  [2, "UnknownError"],
  [2, "You have exceeded your daily url submission quota : 100"],
  [3, "InvalidApiKey", "credentials_rejected", "credentials_rejected"],
  [4, "ThrottleUser"],
  [5, "ThrottleHost"],
  [6, "UserBlocked", "credentials_rejected", "credentials_rejected"],
  [7, "InvalidUrl"],
  [8, "InvalidParameter"],
  [8, "Quota remaining for today: 0, Submitted: 100"],
  [9, "TooManySites"],
  [10, "UserNotFound", "credentials_rejected", "credentials_rejected"],
  [11, "NotFound"],
  [12, "AlreadyExists"],
  [13, "NotAllowed"],
  [14, "NotAuthorized"],
  [15, "UnexpectedState"],
  [16, "Deprecated"],
  [17, "ThrottleIP"],
  [18, "InvalidToken", "credentials_expired", "credentials_rejected"],
  [81_058, "AlreadyPresent"]
]

const provider = "sitesearch"

/** They come under HTTP 400, and sometimes under 200. */
const oneOfEachKind = new Set([3, 14, 18])

/** One row per distinct error that the provider's reference tells of. */
export const sitesearchErrors: ReadonlyArray<ErrorRow> = [
  ...codes.flatMap(([code, message, oauth = "upstream_error", account = "upstream_error"]) =>
    (oneOfEachKind.has(code) ? [400, 200] : [400]).map((status): ErrorRow => ({
      what: `${code} ${message} under ${status}`,
      provider,
      status,
      body: { ErrorCode: code, Message: `ERROR!!! ${message}` },
      oauth,
      account
    }))
  ),
  {
    what: "a fault of the framework",
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
  ...[403, 404, 405].map((status): ErrorRow => ({
    what: `${status} with a page`,
    provider,
    status,
    body: "<HTML><HEAD><TITLE>Service</TITLE></HEAD><BODY>Endpoint not found.</BODY></HTML>",
    oauth: "upstream_error",
    account: "upstream_error"
  })),
  ...[200, 202].map((status): ErrorRow => ({
    what: `${status} with an empty body`,
    provider,
    status,
    body: "",
    oauth: "upstream_unreachable",
    account: "upstream_unreachable"
  }))
]
