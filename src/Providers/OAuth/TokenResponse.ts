import { Effect, Option, Predicate, Redacted, Schema } from "effect"
import {
  CredentialsExpired,
  CredentialsRejected,
  type ProviderError,
  UpstreamError
} from "../../Api/Errors/ProviderErrors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { isSuccessful, type UpstreamResponse } from "../../Outbound/UpstreamResponse.ts"
import { makeKnownSecretsRedactor } from "../../Secrets/Redaction/KnownSecrets.ts"
import { notJson, statusMessage, withReason } from "../ClassifyResponse.ts"
import { errorDetails, toOneLine } from "../ErrorDetails.ts"

export interface Tokens {
  readonly accessToken: Redacted.Redacted
  readonly expiresAtMillis: number
  readonly refreshToken?: Redacted.Redacted
  /** When the provider ends the refresh token. Google names it for consent screens in "Testing" and limited access. */
  readonly refreshExpiresAtMillis?: number
  readonly scopes?: ReadonlyArray<string>
}

export type Purpose = "code" | "refresh" | "service_account" | "revoke" | "account"

export interface TokenRequest {
  /** The identity provider, as people know it. */
  readonly who: string
  readonly purpose: Purpose
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** Within what a date can hold. */
const Seconds = Schema.Union([Schema.Finite, Schema.FiniteFromString])
  .check(Schema.isBetween({ minimum: -1e10, maximum: 1e10 }))

const TokenBody = Schema.Struct({
  // What a header can hold.
  access_token: Schema.String.check(Schema.isPattern(/^[!-~]{1,16384}$/)),
  expires_in: Schema.optionalKey(Seconds),
  refresh_token: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(16_384))),
  refresh_token_expires_in: Schema.optionalKey(Seconds),
  scope: Schema.optionalKey(Schema.String)
})
const decodeTokenBody = Schema.decodeUnknownOption(TokenBody)

/** The lifetime after a response without `expires_in`. Google and sitesearch both issue tokens for an hour. */
const defaultLifetimeSeconds = 3600

export const tokensOf = (
  request: TokenRequest,
  response: UpstreamResponse,
  now: number
): Effect.Effect<Tokens, ProviderError> => {
  if (!isSuccessful(response.status)) return Effect.fail(failureOf(request, response))
  if (response.json === undefined) return Effect.fail(notJson(request.who, response.status, response.text))
  const tokens = Option.getOrUndefined(decodeTokenBody(response.json.value))
  if (tokens === undefined) return Effect.fail(missingToken(request, response.json))
  return Effect.succeed({
    accessToken: Redacted.make(tokens.access_token),
    expiresAtMillis: now + (tokens.expires_in ?? defaultLifetimeSeconds) * 1000,
    ...(tokens.refresh_token ? { refreshToken: Redacted.make(tokens.refresh_token) } : {}),
    ...(tokens.refresh_token_expires_in === undefined
      ? {}
      : { refreshExpiresAtMillis: now + tokens.refresh_token_expires_in * 1000 }),
    ...(tokens.scope === undefined ? {} : { scopes: tokens.scope.split(/\s+/).filter((scope) => scope !== "") })
  })
}

/** Google returns only an `id_token` when the assertion has an audience instead of a scope. */
const missingToken = ({ secrets, who }: TokenRequest, body: JsonText) =>
  new CredentialsRejected({
    message: `${who} answered without a usable access token.`,
    details: errorDetails(body.text, body, makeKnownSecretsRedactor([...secrets, ...tokensIn(body.value)]))
  })

const tokensIn = (value: unknown): ReadonlyArray<Redacted.Redacted> =>
  Predicate.isObject(value)
    ? Object.entries(value).flatMap(([key, token]) =>
      key.endsWith("_token") && typeof token === "string" ? [Redacted.make(token)] : []
    )
    : []

const ErrorBody = Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

const errorMessage = (details: Schema.Json): string | undefined => {
  const body = Option.getOrUndefined(decodeErrorBody(details))
  return body?.error_description === undefined ? body?.error : `${body.error}: ${body.error_description}`
}

const ErrorCode = Schema.Struct({ error: Schema.String })
const errorCode = (body: JsonText | undefined): string | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(ErrorCode)(body?.value))?.error

/** The provider refuses the operator's application, not the grant. */
const applicationErrors = new Set(["invalid_client", "unauthorized_client", "deleted_client", "admin_policy_enforced"])

const transientErrors = new Set(["temporarily_unavailable", "server_error", "rate_limit_exceeded"])

export const isDeadToken = ({ json, status }: UpstreamResponse): boolean =>
  status === 400 && errorCode(json) === "invalid_token"

export const failureOf = (
  { purpose, secrets, who }: TokenRequest,
  { headers, json, status, text }: UpstreamResponse
): ProviderError => {
  const details = errorDetails(text, json, makeKnownSecretsRedactor(secrets))
  const reason = toOneLine(errorMessage(details) ?? googleStyleMessage(details))
  const code = errorCode(json)
  const isRefusal = code !== undefined && status >= 400 && status < 500 && status !== 429 && !transientErrors.has(code)
  if (isRefusal && purpose === "refresh" && code === "invalid_grant") {
    return new CredentialsExpired({
      message: withReason(`${who} no longer accepts this grant; reconnect the connection`, reason),
      refusal: details
    })
  }
  if (isRefusal && purpose === "service_account") {
    return new CredentialsRejected({ message: withReason(`${who} refused the service account`, reason), details })
  }
  if (isRefusal && applicationErrors.has(code)) {
    return new CredentialsRejected({
      message: withReason(`${who} refused the service's OAuth application`, reason),
      details
    })
  }
  return new UpstreamError({
    status,
    message: statusMessage(who, status, reason),
    details,
    retryAfter: headers["retry-after"]
  })
}

const decodeGoogleStyle = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
)

const googleStyleMessage = (details: Schema.Json) => Option.getOrUndefined(decodeGoogleStyle(details))?.error.message
