import { Option, Schema } from "effect"
import type { Provider } from "../../Providers/Provider.ts"

/** What a response of Google says about the set-up: the id of a check, or `undefined`. */
export type Cause = string | undefined

const TokenError = Schema.Struct({
  error: Schema.String,
  error_description: Schema.optionalKey(Schema.String),
  error_subtype: Schema.optionalKey(Schema.String)
})
const decodeTokenError = Schema.decodeUnknownOption(TokenError)

const causes: Readonly<Record<string, string>> = {
  unauthorized_client: "client_id",
  deleted_client: "client_deleted",
  disabled_client: "client_deleted",
  redirect_uri_mismatch: "redirect_uri",
  admin_policy_enforced: "admin_policy",
  access_not_configured: "admin_policy",
  policy_enforced: "admin_policy",
  org_internal: "consent_user",
  invalid_scope: "scopes_granted"
}

const serviceAccountCauses: ReadonlyArray<readonly [RegExp, string]> = [
  [/signature/i, "service_account_key"],
  [/short-lived|timeframe|\biat\b/i, "clock"],
  [/valid email|email or user id|impersonation/i, "delegation"],
  [/not found|no valid verifier|disabled|deleted/i, "service_account_deleted"]
]

/** The cause in an error of the token endpoint, or in the code with which a sign-in comes back. */
export const causeOfToken = (body: unknown, isServiceAccount: boolean): Cause => {
  const { error, error_description: text = "", error_subtype } = Option.getOrElse(
    decodeTokenError(body),
    (): typeof TokenError.Type => ({ error: "" })
  )
  if (error_subtype === "invalid_rapt") return "admin_policy"
  if (isServiceAccount && (error === "invalid_grant" || error === "invalid_request")) {
    return serviceAccountCauses.find(([pattern]) => pattern.test(text))?.[1]
  }
  if (isServiceAccount) {
    if (error === "unauthorized_client" || error === "access_denied") return "delegation"
    return error.endsWith("ed_client") ? "service_account_deleted" : causes[error]
  }
  if (error === "invalid_client") return /not found/i.test(text) ? "client_id" : "client_secret"
  if (error === "invalid_request") return /client_secret/.test(text) ? "client_secret" : undefined
  return causes[error]
}

const Reasons = Schema.Array(Schema.Struct({
  reason: Schema.optionalKey(Schema.Unknown),
  metadata: Schema.optionalKey(Schema.Struct({ activationUrl: Schema.optionalKey(Schema.Unknown) }))
}))
const decodeApiError = Schema.decodeUnknownOption(Schema.Struct({
  error: Schema.Struct({
    code: Schema.optionalKey(Schema.Unknown),
    status: Schema.optionalKey(Schema.Unknown),
    errors: Schema.optionalKey(Reasons),
    details: Schema.optionalKey(Reasons)
  })
}))

const isConsolePage = (url: unknown): url is string =>
  typeof url === "string" && /^https:\/\/console\.(?:developers|cloud)\.google\.com\//.test(url)

/** The cause in an error of an API. */
export const causeOfApi = (
  body: unknown,
  provider: Provider
): { readonly id: string; readonly activationUrl?: string | undefined } | undefined => {
  const error = Option.getOrUndefined(decodeApiError(body))?.error
  if (error === undefined) return undefined
  const all = [...error.errors ?? [], ...error.details ?? []]
  const reasons = new Set(all.flatMap(({ reason }) => typeof reason === "string" ? [reason] : []))
  const has = (...some: ReadonlyArray<string>) => some.some((reason) => reasons.has(reason))
  if (has("SERVICE_DISABLED", "accessNotConfigured")) {
    return {
      id: `api_enabled.${provider.id}`,
      activationUrl: all.map(({ metadata }) => metadata?.activationUrl).find(isConsolePage)
    }
  }
  if (has("ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions")) return { id: "scopes_granted" }
  if (has("domainPolicy")) return { id: "admin_policy" }
  const isDenied = error.status === "PERMISSION_DENIED" || has("forbidden")
  return isDenied && [...reasons].every((reason) => reason === "forbidden") ? { id: "resource_shared" } : undefined
}

/**
 * The code in `authError`, with which the authorization endpoint refuses: the first field of a message in protobuf. Its
 * text is in the language of the reader.
 */
export const authErrorCode = (page: string): string | undefined => {
  const encoded = /[?&]authError=([^&"'\s]+)/.exec(page)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(percentDecoded(encoded), "base64")
  const length = bytes[1] ?? 0
  return bytes[0] === 0x0a && length < 0x80 ? bytes.toString("latin1", 2, 2 + length) : undefined
}

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const isAccepted = (location: string): boolean => /\/v3\/signin\//.test(location)
