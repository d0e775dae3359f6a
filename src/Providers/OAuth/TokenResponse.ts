import { Effect, Option, Predicate, Redacted, Schema } from "effect"
import { CredentialsExpired, CredentialsRejected, type ProviderError, UpstreamError } from "../../Api/Errors.ts"
import { redactKnownSecrets } from "../../Redaction/KnownSecrets.ts"
import { answered, notJson, sentence } from "../ClassifyResponse.ts"
import { errorDetails, errorMessage } from "../ErrorDetails.ts"
import type { JsonText } from "../JsonText.ts"
import { isSuccessful, type UpstreamResponse } from "../Upstream/UpstreamResponse.ts"
import type { Tokens } from "./OAuth.ts"

/** What was asked of an identity provider, as far as its answer's meaning depends on it. */
export interface Asked {
  /** How messages call the identity provider. */
  readonly who: string
  readonly what: "code" | "refresh" | "service_account" | "revoke" | "account"
  /** What the request carried and the answer may echo. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

const TokenBody = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.FiniteFromString])),
  refresh_token: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String)
})
const decodeTokenBody = Schema.decodeUnknownOption(TokenBody)

/** For an answer that does not say how long its token lives; Google and sitesearch both say an hour. */
const DEFAULT_LIFETIME_SECONDS = 3600

/** `now`: epoch milliseconds from which the token's lifetime counts. */
export const tokensOf = (asked: Asked, answer: UpstreamResponse, now: number): Effect.Effect<Tokens, ProviderError> => {
  if (!isSuccessful(answer.status)) return Effect.fail(failureOf(asked, answer))
  if (answer.json === undefined) return Effect.fail(notJson(asked.who, answer.status, answer.text))
  const tokens = Option.getOrUndefined(decodeTokenBody(answer.json.value))
  if (tokens === undefined) return Effect.fail(withoutToken(asked, answer.json))
  return Effect.succeed({
    accessToken: Redacted.make(tokens.access_token),
    expiresAt: now + (tokens.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1000,
    ...(tokens.refresh_token ? { refreshToken: Redacted.make(tokens.refresh_token) } : {}),
    ...(tokens.scope === undefined ? {} : { scopes: tokens.scope.split(/\s+/).filter((scope) => scope !== "") })
  })
}

/** An `id_token` alone, say, is what Google makes of a scope that it takes for an audience. */
const withoutToken = ({ secrets, who }: Asked, body: JsonText) =>
  new CredentialsRejected({
    message: `${who} answered without a usable access token.`,
    details: errorDetails(body.text, body, redactKnownSecrets([...secrets, ...tokensIn(body.value)]))
  })

const tokensIn = (value: unknown): ReadonlyArray<Redacted.Redacted> =>
  Predicate.isObject(value)
    ? Object.entries(value).flatMap(([key, token]) =>
      key.endsWith("_token") && typeof token === "string" ? [Redacted.make(token)] : []
    )
    : []

const ErrorBody = Schema.Struct({ error: Schema.String })
const errorCode = (body: JsonText | undefined): string | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(ErrorBody)(body?.value))?.error

/** The operator's application is refused, whatever the grant (section 7 of the contract). */
const applicationRefused = new Set(["invalid_client", "unauthorized_client", "deleted_client", "admin_policy_enforced"])

/** OAuth codes that blame neither the grant nor the application. */
const passing = new Set(["temporarily_unavailable", "server_error", "rate_limit_exceeded"])

export const isDeadToken = ({ json, status }: UpstreamResponse): boolean =>
  status === 400 && errorCode(json) === "invalid_token"

/** What an answer that is not 2xx means. */
export const failureOf = (
  { secrets, what, who }: Asked,
  { headers, json, status, text }: UpstreamResponse
): ProviderError => {
  const details = errorDetails(text, json, redactKnownSecrets(secrets))
  const said = errorMessage(details)
  const code = errorCode(json)
  const blamed = code !== undefined && status >= 400 && status < 500 && status !== 429 && !passing.has(code)
  if (blamed && what === "refresh" && code === "invalid_grant") {
    return new CredentialsExpired({
      message: sentence(`${who} no longer accepts this grant; reconnect the connection`, said)
    })
  }
  if (blamed && what === "service_account") {
    return new CredentialsRejected({ message: sentence(`${who} refused the service account`, said), details })
  }
  if (blamed && applicationRefused.has(code)) {
    return new CredentialsRejected({
      message: sentence(`${who} refused the service's OAuth application`, said),
      details
    })
  }
  return new UpstreamError({
    status,
    message: answered(who, status, said),
    details,
    retryAfter: headers["retry-after"]
  })
}
