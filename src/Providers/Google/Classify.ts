import { Option, Schema } from "effect"
import type { Provider, ProviderResponse } from "../Provider.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optionalKey(Schema.Unknown),
    status: Schema.optionalKey(Schema.Unknown),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.optionalKey(Schema.Unknown) }))),
    details: Schema.optionalKey(Schema.Array(Schema.Struct({
      reason: Schema.optionalKey(Schema.Unknown),
      metadata: Schema.optionalKey(Schema.Unknown)
    })))
  })
})
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

const quotaReason = /(?:limit|quota)_?exceeded/i

const scopeReasons = new Set<unknown>(["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"])

export const classifyGoogle: Provider["classify"] = ({ authType, body, status }) => {
  if (status >= 200 && status < 300) return "ok"
  if (status === 401) return "unauthorized"
  if (status !== 403) return "error"
  const error = Option.getOrUndefined(decodeErrorBody(body()))?.error
  if (error === undefined) return "error"
  const reasons = [...error.errors ?? [], ...error.details ?? []].flatMap(({ reason }) => reason ?? [])
  if (reasons.some((reason) => scopeReasons.has(reason))) return "rejected"
  const denied = error.status === "PERMISSION_DENIED" || reasons.includes("forbidden")
  const overQuota = reasons.some((reason) => typeof reason === "string" && quotaReason.test(reason))
  if (authType !== "service_account" || !denied || overQuota) return "error"
  // Another reason is about the project, such as an API that is not enabled.
  return reasons.every((reason) => reason === "forbidden") ? "not_shared" : "rejected"
}

/** Not `storageQuotaExceeded`: a full Drive is no quota of requests. */
const quotaReasons = new Set<unknown>([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "dailyLimitExceeded"
])

const decodeMetadata = Schema.decodeUnknownOption(Schema.Struct({ quota_limit: Schema.String }))

/** The quota in lower case without blanks: Google names it as `ReadRequestsPerMinutePerUser` and in words. */
export const googleQuotaError = ({ body, status }: ProviderResponse): string | undefined => {
  if (status !== 429 && status !== 403) return undefined
  const error = Option.getOrUndefined(decodeErrorBody(body()))?.error
  const reasons = (error?.errors ?? []).map(({ reason }) => reason)
  if (status === 403 && !reasons.some((reason) => quotaReasons.has(reason))) return undefined
  const limits = (error?.details ?? []).flatMap(({ metadata }) =>
    Option.match(decodeMetadata(metadata), { onNone: () => [], onSome: ({ quota_limit }) => [quota_limit] })
  )
  return [...limits, error?.message ?? "", ...reasons].map(String).join("\n").replace(/[^\S\n]/g, "").toLowerCase()
}

const decodeMessage = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
)

export const googleErrorMessage: Provider["errorMessage"] = (body) =>
  Option.getOrUndefined(decodeMessage(body))?.error.message

const fewScopes = /^(?:Request had insufficient authentication scopes|Insufficient Permission)/

/** A hint for spreadsheets and documents, whose read-only scopes do not allow writes. */
export const writeScopeHint = (message: string): string | undefined =>
  fewScopes.test(message)
    ? "The account did not allow this. To write, connect it again with a link that has `access: \"read_write\"`"
    : undefined
