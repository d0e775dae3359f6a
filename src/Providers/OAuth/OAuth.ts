import { Clock, Config, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { CredentialsRejected, type ProviderError, UpstreamUnreachable } from "../../Api/Errors/ProviderErrors.ts"
import { isSuccessful } from "../../Outbound/UpstreamResponse.ts"
import { notJson } from "../ClassifyResponse.ts"
import type { IdentityProvider } from "../IdentityProvider.ts"
import { type Origin, Origins } from "../Origins.ts"
import { bearer } from "../RequestAuthentication.ts"
import { Upstream, type UpstreamRequest } from "../Upstream.ts"
import { upstreamUrl, withQuery } from "../UpstreamUrl.ts"
import { signAssertion } from "./ServiceAccountAssertion.ts"
import type { ServiceAccountKey } from "./ServiceAccountKey.ts"
import { failureOf, isDeadToken, type Purpose, type Tokens, tokensOf } from "./TokenResponse.ts"

export class OAuthNotConfigured extends Data.TaggedError("OAuthNotConfigured")<{
  readonly missing: ReadonlyArray<string>
}> {
  override get message() {
    return `The OAuth application is not configured; set ${this.missing.join(" and ")}.`
  }
}

/**
 * Without `oauth4webapi`: it sends with `fetch`, takes secrets as plain text, and refuses token responses that are
 * accepted here (without `token_type`, a status of 201, an ID token by a clock that differs). The retries and byte
 * limits of `Upstream`, the redaction and the typed failures would stay, and it would replace only four forms.
 */
export class OAuth extends Context.Service<OAuth, {
  readonly requireApplication: (identity: IdentityProvider) => Effect.Effect<void, OAuthNotConfigured>
  /** The client id of the operator's application. */
  readonly applicationId: (identity: IdentityProvider) => string | undefined
  /** `codeChallenge` is S256. It is sent if the identity provider supports PKCE. */
  readonly authorizeUrl: (options: {
    readonly identity: IdentityProvider
    readonly scopes: ReadonlyArray<string>
    readonly redirectUri: string
    readonly state: string
    readonly codeChallenge: string
  }) => Effect.Effect<string, OAuthNotConfigured>
  readonly exchangeCode: (options: {
    readonly identity: IdentityProvider
    readonly code: Redacted.Redacted
    readonly redirectUri: string
    readonly codeVerifier: Redacted.Redacted
  }) => Effect.Effect<Tokens, ProviderError | OAuthNotConfigured>
  readonly refresh: (
    identity: IdentityProvider,
    refreshToken: Redacted.Redacted
  ) => Effect.Effect<Tokens, ProviderError>
  readonly assertServiceAccount: (
    identity: IdentityProvider,
    key: ServiceAccountKey,
    scopes: ReadonlyArray<string>
  ) => Effect.Effect<Tokens, ProviderError>
  /** Also succeeds for a dead token, and if the identity provider has no revocation endpoint. */
  readonly revoke: (identity: IdentityProvider, token: Redacted.Redacted) => Effect.Effect<void, ProviderError>
  /** None if the identity provider or the scopes do not allow reading it. */
  readonly account: (
    identity: IdentityProvider,
    accessToken: Redacted.Redacted
  ) => Effect.Effect<{ readonly email: string; readonly isVerified: boolean } | undefined, ProviderError>
}>()("openaccounts/Providers/OAuth/OAuth") {
  static readonly layer = (identities: ReadonlyArray<IdentityProvider>) =>
    Layer.effect(
      OAuth,
      Effect.gen(function*() {
        const originUrl = yield* Origins
        const upstream = yield* Upstream
        const applications = new Map<string, Application>()
        const applicationIds = new Map<string, string>()
        for (const identity of identities) {
          const { application, id } = yield* readApplication(identity)
          applications.set(identity.id, application)
          if (id !== "") applicationIds.set(identity.id, id)
        }

        const applicationOf = ({ application, id }: IdentityProvider) =>
          applications.get(id) ?? Effect.fail(new OAuthNotConfigured({ missing: Object.values(application) }))

        const exchange = (request: UpstreamRequest) =>
          Effect.catchTag(
            upstream.exchange(request),
            "RateLimited",
            () => new UpstreamUnreachable({ message: `There is no room for the response of ${request.url.host}.` })
          )

        const urlOf = (origin: Origin) => upstreamUrl(originUrl(origin))

        const requestTokens = Effect.fnUntraced(
          function*(identity: IdentityProvider, purpose: Purpose, fields: Fields) {
            const url = urlOf(identity.token)
            const now = yield* Clock.currentTimeMillis
            const response = yield* exchange({
              method: "POST",
              url,
              body: { _tag: "Form", fields },
              repeatable: purpose !== "code"
            })
            return yield* tokensOf({ who: identity.name, purpose, secrets: secretsIn(fields) }, response, now)
          },
          Effect.withSpan("OAuth.tokens", ({ id }, purpose) => ({
            kind: "client",
            attributes: { identity: id, purpose }
          }))
        )

        return OAuth.of({
          applicationId: ({ id }) => applicationIds.get(id),

          requireApplication: (identity) => Effect.asVoid(applicationOf(identity)),

          authorizeUrl: ({ codeChallenge, identity, redirectUri, scopes, state }) =>
            Effect.map(applicationOf(identity), ({ client_id }) => {
              const { authorize, extraScopes, parameters, pkce } = identity
              const { origin, path } = withQuery(urlOf(authorize), {
                client_id,
                response_type: "code",
                redirect_uri: redirectUri,
                scope: [...new Set([...scopes, ...extraScopes])].join(" "),
                state,
                ...parameters,
                ...(pkce ? { code_challenge: codeChallenge, code_challenge_method: "S256" } : {})
              })
              return origin + path
            }),

          exchangeCode: ({ code, codeVerifier, identity, redirectUri }) =>
            Effect.flatMap(applicationOf(identity), (application) =>
              requestTokens(identity, "code", {
                grant_type: "authorization_code",
                code,
                redirect_uri: redirectUri,
                ...application,
                ...(identity.pkce ? { code_verifier: codeVerifier } : {})
              })),

          refresh: (identity, refreshToken) =>
            applicationOf(identity).pipe(
              Effect.mapError(({ message }) => new CredentialsRejected({ message })),
              Effect.flatMap((application) =>
                requestTokens(identity, "refresh", {
                  grant_type: "refresh_token",
                  refresh_token: refreshToken,
                  ...application
                })
              )
            ),

          assertServiceAccount: (identity, key, scopes) =>
            Effect.flatMap(signAssertion(key, scopes), (assertion) =>
              requestTokens(identity, "service_account", {
                grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
                assertion
              })),

          revoke: Effect.fn("OAuth.revoke")(function*({ name, revoke }, token) {
            if (revoke === undefined) return
            const url = urlOf(revoke)
            const response = yield* exchange({
              method: "POST",
              url,
              body: { _tag: "Form", fields: { token } },
              repeatable: false
            })
            if (isSuccessful(response.status) || isDeadToken(response)) return
            return yield* Effect.fail(failureOf({ who: name, purpose: "revoke", secrets: [token] }, response))
          }),

          account: Effect.fn("OAuth.account")(function*({ name, userinfo }, accessToken) {
            if (userinfo === undefined) return undefined
            const url = urlOf(userinfo)
            const response = yield* exchange({
              method: "GET",
              url,
              credential: { secret: accessToken, authentication: bearer },
              repeatable: true
            })
            if (response.status === 401 || response.status === 403) return undefined
            if (!isSuccessful(response.status)) {
              return yield* Effect.fail(
                failureOf({ who: name, purpose: "account", secrets: [accessToken] }, response)
              )
            }
            if (response.json === undefined) return yield* notJson(name, response.status, response.text)
            const user = Option.getOrUndefined(decodeUserinfo(response.json.value))
            return user && { email: user.email, isVerified: user.email_verified !== false }
          })
        })
      })
    )
}

const decodeUserinfo = Schema.decodeUnknownOption(
  Schema.Struct({ email: Schema.String, email_verified: Schema.optionalKey(Schema.Boolean) })
)

type Fields = Readonly<Record<string, string | Redacted.Redacted>>

const secretsIn = (fields: Fields): ReadonlyArray<Redacted.Redacted> =>
  Object.values(fields).flatMap((field) => typeof field === "string" ? [] : [field])

/** Fails on use, so that the service starts without a registered application. */
type Application = Effect.Effect<
  { readonly client_id: string; readonly client_secret: Redacted.Redacted },
  OAuthNotConfigured
>

export const readApplication = Effect.fnUntraced(function* readApplication({ application }: IdentityProvider) {
  const { id, secret } = yield* Config.all({
    id: Config.String(application.clientId).pipe(Config.withDefault("")),
    secret: Config.Redacted(application.clientSecret).pipe(Config.withDefault(Redacted.make("")))
  })
  const missing = [
    ...(id === "" ? [application.clientId] : []),
    ...(Redacted.value(secret) === "" ? [application.clientSecret] : [])
  ]
  const registered: Application = missing.length > 0
    ? Effect.fail(new OAuthNotConfigured({ missing }))
    : Effect.succeed({ client_id: id, client_secret: secret })
  return { id, application: registered }
})
