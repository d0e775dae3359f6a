import { Data, Result } from "effect"

const rpcCodes: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL"
}

interface Options {
  readonly code: number
  readonly message: string
  readonly reason?: string
  /** `null` omits it, as the older methods do. */
  readonly status?: string | null
  readonly details?: ReadonlyArray<object>
  readonly headers?: Readonly<Record<string, string>>
}

export class GoogleError extends Data.TaggedError("GoogleError")<Options> {
  get body() {
    const { code, details, message, reason, status = rpcCodes[code] } = this
    return {
      error: {
        code,
        message,
        ...(reason === undefined ? {} : { errors: [{ message, domain: "global", reason }] }),
        ...(status === undefined || status === null ? {} : { status }),
        ...(details === undefined ? {} : { details })
      }
    }
  }
}

export const invalidArgument = (message: string) => new GoogleError({ code: 400, message, reason: "badRequest" })

/** The error for what the sandbox leaves out. It does not look like a mistake of the request. */
export const notSimulated = (what: string) =>
  new GoogleError({
    code: 501,
    status: "UNIMPLEMENTED",
    message: `The sandbox does not carry out ${what}; the provider does.`
  })

export const lacks = (what: string): Result.Result<never, GoogleError> => Result.fail(notSimulated(what))

export const notFound = new GoogleError({ code: 404, message: "Requested entity was not found.", reason: "notFound" })

const errorInfo = (reason: string, metadata: object = {}) => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "googleapis.com",
  metadata
})

const expected = "Expected OAuth 2 access token, login cookie or other valid authentication credential. See " +
  "https://developers.google.com/identity/sign-in/web/devconsole-project."

export const missingToken = new GoogleError({
  code: 401,
  message: `Request is missing required authentication credential. ${expected}`,
  details: [errorInfo("CREDENTIALS_MISSING")],
  headers: { "www-authenticate": "Bearer realm=\"https://accounts.google.com/\"" }
})

export const invalidToken = new GoogleError({
  code: 401,
  message: `Request had invalid authentication credentials. ${expected}`,
  headers: { "www-authenticate": "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\"" }
})

export const insufficientScope = (service: string, scopes: ReadonlyArray<string>) =>
  new GoogleError({
    code: 403,
    message: "Request had insufficient authentication scopes.",
    reason: "insufficientPermissions",
    details: [errorInfo("ACCESS_TOKEN_SCOPE_INSUFFICIENT", { service })],
    headers: {
      "www-authenticate": "Bearer realm=\"https://accounts.google.com/\", error=\"insufficient_scope\", " +
        `scope="${scopes.join(" ")}"`
    }
  })

export const permissionDenied = new GoogleError({
  code: 403,
  message: "The caller does not have permission",
  reason: "forbidden"
})

export const rateLimited = (service: string, headers: Readonly<Record<string, string>> = {}) =>
  new GoogleError({
    code: 429,
    message:
      `Quota exceeded for quota metric 'Requests' and limit 'Requests per minute per user' of service '${service}'.`,
    reason: "rateLimitExceeded",
    details: [errorInfo("RATE_LIMIT_EXCEEDED", { service, quota_limit: "RequestsPerMinutePerUser" })],
    headers
  })

export const internal = new GoogleError({ code: 500, message: "Internal error encountered.", reason: "backendError" })
