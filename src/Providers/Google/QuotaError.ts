import { Option, Schema } from "effect"
import type { ProviderResponse } from "../Provider.ts"

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    status: Schema.optionalKey(Schema.Unknown),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.optionalKey(Schema.Unknown) }))),
    details: Schema.optionalKey(Schema.Array(Schema.Struct({ metadata: Schema.optionalKey(Schema.Unknown) })))
  })
})
const decode = Schema.decodeUnknownOption(ErrorBody)
const decodeMetadata = Schema.decodeUnknownOption(Schema.Struct({ quota_limit: Schema.String }))

/** Not `storageQuotaExceeded`: a full Drive is no quota of requests. */
const quotaReasons = new Set<unknown>([
  "rateLimitExceeded",
  "userRateLimitExceeded",
  "quotaExceeded",
  "dailyLimitExceeded"
])

/** The quota in lower case without blanks: Google names it as `ReadRequestsPerMinutePerUser` and in words. */
export const googleQuotaError = ({ body, status }: ProviderResponse): string | undefined => {
  if (status !== 429 && status !== 403) return undefined
  const error = Option.getOrUndefined(decode(body()))?.error
  const reasons = (error?.errors ?? []).map(({ reason }) => reason)
  if (status === 403 && !reasons.some((reason) => quotaReasons.has(reason))) return undefined
  const limits = (error?.details ?? []).flatMap(({ metadata }) =>
    Option.match(decodeMetadata(metadata), { onNone: () => [], onSome: ({ quota_limit }) => [quota_limit] })
  )
  return [...limits, error?.message ?? "", ...reasons.map(String)].join("\n").replace(/[^\S\n]/g, "").toLowerCase()
}
