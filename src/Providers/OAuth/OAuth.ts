import { Clock, Config, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { CredentialsRejected, type ProviderError } from "../../Api/Errors.ts"
import { notJson } from "../ClassifyResponse.ts"
import { type Origin, Origins } from "../Origins.ts"
import type { Provider } from "../Provider.ts"
import { Upstream } from "../Upstream/Upstream.ts"
import { isSuccessful } from "../Upstream/UpstreamResponse.ts"
import { upstreamUrl, withQuery } from "../Upstream/UpstreamUrl.ts"
import { signAssertion } from "./ServiceAccountAssertion.ts"
import type { ServiceAccountKey } from "./ServiceAccountKey.ts"
import { type Asked, failureOf, isDeadToken, tokensOf } from "./TokenResponse.ts"

export interface Tokens {
  readonly accessToken: Redacted.Redacted
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Absent where the old one stays good. */
  readonly refreshToken?: Redacted.Redacted
  readonly scopes?: ReadonlyArray<string>
}

export type IdentityProvider = Provider["identity"]

/** The operator has not registered an OAuth application with the identity provider. */
export class OAuthNotConfigured extends Data.TaggedError("OAuthNotConfigured")<{
  /** The variables to set. */
  readonly missing: ReadonlyArray<string>
}> {
  override get message() {
    return `The OAuth application is not configured; set ${this.missing.join(" and ")}.`
  }
}

/** The identity providers: where grants are made, refreshed and revoked (section 7 of the contract holds here as well). */
export class OAuth extends Context.Service<OAuth, {
  /** Where the connect flow sends a person. `codeChallenge` is S256, and used where the identity provider has PKCE. */
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
    key: ServiceAccountKey,
    scopes: ReadonlyArray<string>
  ) => Effect.Effect<Tokens, ProviderError>
  /** A token that is dead already counts as revoked; so does every token where the provider has nothing to call. */
  readonly revoke: (identity: IdentityProvider, token: Redacted.Redacted) => Effect.Effect<void, ProviderError>
  /** The e-mail address behind an access token, where the identity provider tells it and the grant allows it. */
  readonly account: (
    identity: IdentityProvider,
    accessToken: Redacted.Redacted
  ) => Effect.Effect<string | undefined, ProviderError>
}>()("openaccounts/Providers/OAuth") {
  static readonly layer = Layer.effect(
    OAuth,
    Effect.gen(function*() {
      const origins = yield* Origins
      const upstream = yield* Upstream
      const applications = { google: yield* application("GOOGLE"), sitesearch: yield* application("SITESEARCH") }

      const urlOf = (origin: Origin) => upstreamUrl(origins[origin])

      const tokens = Effect.fnUntraced(
        function*(identity: IdentityProvider, what: Asked["what"], fields: Fields) {
          const url = urlOf(identityProviders[identity].token)
          const now = yield* Clock.currentTimeMillis
          const answer = yield* upstream.exchange({
            method: "POST",
            url,
            body: { _tag: "Form", fields },
            // A code is good once: a second try could only be refused.
            repeatable: what !== "code"
          })
          return yield* tokensOf({ who: url.host, what, secrets: secretsIn(fields) }, answer, now)
        },
        Effect.withSpan("OAuth.tokens", (identity, what) => ({ kind: "client", attributes: { identity, what } }))
      )

      return OAuth.of({
        authorizeUrl: ({ codeChallenge, identity, redirectUri, scopes, state }) =>
          Effect.map(applications[identity], ({ client_id }) => {
            const { authorize, extraScopes, parameters, pkce } = identityProviders[identity]
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
          Effect.flatMap(applications[identity], (application) =>
            tokens(identity, "code", {
              grant_type: "authorization_code",
              code,
              redirect_uri: redirectUri,
              ...application,
              ...(identityProviders[identity].pkce ? { code_verifier: codeVerifier } : {})
            })),

        refresh: (identity, refreshToken) =>
          applications[identity].pipe(
            Effect.mapError(({ message }) => new CredentialsRejected({ message })),
            Effect.flatMap((application) =>
              tokens(identity, "refresh", { grant_type: "refresh_token", refresh_token: refreshToken, ...application })
            )
          ),

        assertServiceAccount: (key, scopes) =>
          Effect.flatMap(signAssertion(key, scopes), (assertion) =>
            tokens("google", "service_account", {
              grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
              assertion
            })),

        revoke: Effect.fn("OAuth.revoke")(function*(identity, token) {
          const { revoke } = identityProviders[identity]
          if (revoke === undefined) return
          const url = urlOf(revoke)
          const answer = yield* upstream.exchange({
            method: "POST",
            url,
            body: { _tag: "Form", fields: { token } },
            repeatable: false
          })
          if (isSuccessful(answer.status) || isDeadToken(answer)) return
          return yield* Effect.fail(failureOf({ who: url.host, what: "revoke", secrets: [token] }, answer))
        }),

        account: Effect.fn("OAuth.account")(function*(identity, accessToken) {
          const { userinfo } = identityProviders[identity]
          if (userinfo === undefined) return undefined
          const url = urlOf(userinfo)
          const answer = yield* upstream.exchange({
            method: "GET",
            url,
            credential: { _tag: "Bearer", token: accessToken },
            repeatable: true
          })
          if (answer.status === 401 || answer.status === 403) return undefined
          if (!isSuccessful(answer.status)) {
            return yield* Effect.fail(failureOf({ who: url.host, what: "account", secrets: [accessToken] }, answer))
          }
          if (answer.json === undefined) return yield* notJson(url.host, answer.status, answer.text)
          return Option.getOrUndefined(decodeUserinfo(answer.json.value))?.email
        })
      })
    })
  )
}

interface IdentityProviderRow {
  readonly authorize: Origin
  readonly token: Origin
  readonly revoke?: Origin
  readonly userinfo?: Origin
  readonly pkce: boolean
  /** Asked for beside what a connection needs, so that `account` has an answer. */
  readonly extraScopes: ReadonlyArray<string>
  readonly parameters: Readonly<Record<string, string>>
}

const identityProviders: Readonly<Record<IdentityProvider, IdentityProviderRow>> = {
  google: {
    authorize: "googleAuth",
    token: "googleToken",
    revoke: "googleRevoke",
    userinfo: "googleUserinfo",
    pkce: true,
    extraScopes: ["openid", "email"],
    // Without both, a person who has consented before gets no refresh token.
    parameters: { access_type: "offline", prompt: "consent" }
  },
  sitesearch: {
    authorize: "sitesearchAuth",
    token: "sitesearchToken",
    pkce: false,
    extraScopes: [],
    parameters: {}
  }
}

const decodeUserinfo = Schema.decodeUnknownOption(Schema.Struct({ email: Schema.String }))

type Fields = Readonly<Record<string, string | Redacted.Redacted>>

const secretsIn = (fields: Fields): ReadonlyArray<Redacted.Redacted> =>
  Object.values(fields).flatMap((field) => typeof field === "string" ? [] : [field])

interface Application {
  readonly client_id: string
  readonly client_secret: Redacted.Redacted
}

/** The operator's registration with an identity provider; the server runs without one until it is needed. */
const application = Effect.fnUntraced(function*(prefix: "GOOGLE" | "SITESEARCH") {
  const settings = yield* Config.all({
    id: Config.String(`${prefix}_CLIENT_ID`).pipe(Config.withDefault("")),
    secret: Config.Redacted(`${prefix}_CLIENT_SECRET`).pipe(Config.withDefault(Redacted.make("")))
  })
  const missing = [
    ...(settings.id === "" ? [`${prefix}_CLIENT_ID`] : []),
    ...(Redacted.value(settings.secret) === "" ? [`${prefix}_CLIENT_SECRET`] : [])
  ]
  const registered: Effect.Effect<Application, OAuthNotConfigured> = missing.length > 0
    ? Effect.fail(new OAuthNotConfigured({ missing }))
    : Effect.succeed({ client_id: settings.id, client_secret: settings.secret })
  return registered
})
