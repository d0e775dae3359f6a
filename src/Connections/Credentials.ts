import { DateTime, Duration, Effect, Predicate, Redacted, Result, Schema } from "effect"
import { hash } from "node:crypto"
import type { AuthType, NewConnection, StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import { Utc } from "../Domain/Validation/Fields.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import { PastedText } from "../Domain/Validation/PastedText.ts"
import { validator } from "../Domain/Validation/Validation.ts"
import { hasUsableKey, privateKeyExpected, ServiceAccountKey } from "../Providers/OAuth/ServiceAccountKey.ts"
import type { Tokens } from "../Providers/OAuth/TokenResponse.ts"

const Secret = Schema.RedactedFromValue(PastedText)

export const OAuthCredentials = Schema.Struct({
  refresh_token: Secret,
  access_token: Schema.optionalKey(Secret),
  /** Without it, the access token is used until the provider rejects it. */
  expires_at: Schema.optionalKey(Utc),
  /** When the provider ends the refresh token, if it says so. */
  refresh_expires_at: Schema.optionalKey(Utc)
})
export type OAuthCredentials = typeof OAuthCredentials.Type

const ApiKeyCredentials = Schema.Struct({ api_key: Secret })

export type Credentials =
  | { readonly type: "oauth"; readonly oauth: OAuthCredentials }
  | { readonly type: "service_account"; readonly key: ServiceAccountKey }
  | { readonly type: "api_key"; readonly apiKey: Redacted.Redacted }

/** Without an account or scopes, the connection keeps its own. */
export interface Reconnection
  extends
    Pick<NewConnection, "authType" | "credentials" | "signedInAs" | "askedScopes">,
    Partial<Pick<NewConnection, "externalAccount" | "scopes">>
{}

/** The connection that has the credentials. */
export const credentialsIdOf = ({ id, parent_id }: StoredConnection): ConnectionId => parent_id ?? id

const at = ["credentials"]
const oauth = validator(OAuthCredentials, at)
const serviceAccount = validator(ServiceAccountKey, at)
const apiKey = validator(ApiKeyCredentials, at)

const parseCredentials = (
  type: AuthType,
  json: unknown
): Result.Result<Credentials, ReadonlyArray<Issue>> => {
  switch (type) {
    case "oauth":
      return Result.map(oauth(json), (oauth) => ({ type, oauth }))
    case "service_account":
      return Result.map(serviceAccount(json), (key) => ({ type, key }))
    case "api_key":
      return Result.map(apiKey(json), ({ api_key }) => ({ type, apiKey: api_key }))
  }
}

/** Fields whose value must be one word. Stored values are not checked. */
const oneWordFields = [
  "refresh_token",
  "access_token",
  "api_key",
  "client_email",
  "private_key_id",
  "token_uri",
  "subject"
]

const whiteSpaceIssues = (json: unknown): ReadonlyArray<Issue> =>
  oneWordFields.flatMap((field) =>
    Predicate.hasProperty(json, field) && Predicate.isString(json[field]) && /[\s\0]/.test(json[field].trim())
      ? [{ path: [...at, field], message: "Expected a text without white space inside" }]
      : []
  )

export const parseNewCredentials = (
  type: AuthType,
  json: unknown
): Result.Result<Credentials, ReadonlyArray<Issue>> =>
  Result.flatMap(parseCredentials(type, json), (credentials) => {
    const issues = whiteSpaceIssues(json)
    if (issues.length > 0) return Result.fail(issues)
    return credentials.type !== "service_account" || hasUsableKey(credentials.key)
      ? Result.succeed(credentials)
      : Result.fail([{ path: [...at, "private_key"], message: `Expected ${privateKeyExpected}` }])
  })

export const parseStoredCredentials = (type: AuthType, text: Redacted.Redacted): Effect.Effect<Credentials> =>
  Effect.orDie(Effect.fromResult(parseCredentials(type, JSON.parse(Redacted.value(text)))))

export const refreshTokenHash = (token: Redacted.Redacted): Buffer => hash("sha256", Redacted.value(token), "buffer")

/** Without a new refresh token, the one of `before` and its expiry are kept. */
export const serializeTokens = (
  tokens: Tokens,
  before: Pick<OAuthCredentials, "refresh_token" | "refresh_expires_at">
): Redacted.Redacted => {
  const refreshToken = Redacted.value(tokens.refreshToken ?? before.refresh_token)
  const isSame = refreshToken === Redacted.value(before.refresh_token)
  const { refreshExpiresAtMillis = isSame ? before.refresh_expires_at?.epochMilliseconds : undefined } = tokens
  return Redacted.make(JSON.stringify({
    refresh_token: refreshToken,
    access_token: Redacted.value(tokens.accessToken),
    expires_at: isoTime(tokens.expiresAtMillis),
    ...(refreshExpiresAtMillis === undefined ? {} : { refresh_expires_at: isoTime(refreshExpiresAtMillis) })
  }))
}

const isoTime = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

export const refreshAhead = Duration.seconds(60)

type WithToken = OAuthCredentials & { readonly access_token: Redacted.Redacted }

/** `now` is in epoch milliseconds. `rejected` is a token that the provider refused with 401. */
export const isUsable = (
  oauth: OAuthCredentials,
  now: number,
  rejected?: Redacted.Redacted
): oauth is WithToken => {
  const { access_token, expires_at } = oauth
  if (access_token === undefined) return false
  if (rejected !== undefined && Redacted.value(rejected) === Redacted.value(access_token)) return false
  return expires_at === undefined || DateTime.toEpochMillis(expires_at) - now > Duration.toMillis(refreshAhead)
}
