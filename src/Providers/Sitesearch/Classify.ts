import { Option, Schema } from "effect"
import type { AuthType } from "../../Domain/Connection.ts"
import type { Provider, ProviderResponse, Verdict } from "../Provider.ts"

const decodeErrorBody = Schema.decodeUnknownOption(Schema.Struct({ ErrorCode: Schema.Finite }))

export const errorCode = (body: unknown): number =>
  Option.match(decodeErrorBody(body), { onNone: () => 0, onSome: ({ ErrorCode }) => ErrorCode })

const invalidApiKey = 3
const userBlocked = 6
const userNotFound = 10
const invalidToken = 18

const rejections = new Set([invalidApiKey, userBlocked, userNotFound])

export const classifySitesearch: Provider["classify"] = ({ authType, body, status }) => {
  const code = errorCode(body())
  if (rejections.has(code)) return "rejected"
  if (code === invalidToken || status === 401) return unauthorized(authType)
  return status >= 200 && status < 300 && code === 0 ? "ok" : "error"
}

const unauthorized = (authType: AuthType): Verdict => authType === "oauth" ? "unauthorized" : "rejected"

const decodeMessage = Schema.decodeUnknownOption(Schema.Struct({ Message: Schema.String }))

export const sitesearchErrorMessage: Provider["errorMessage"] = (body) =>
  Option.getOrUndefined(decodeMessage(body))?.Message

const throttleUser = 4
const throttleHost = 5
const throttleIp = 17

const throttles = new Set([throttleUser, throttleHost, throttleIp])

/** Bing names no quota, and throttles with any status. The codes 2 and 8 are about submissions, not calls. */
export const sitesearchQuotaError = ({ body, status }: ProviderResponse): string | undefined =>
  status === 429 || throttles.has(errorCode(body())) ? "" : undefined
