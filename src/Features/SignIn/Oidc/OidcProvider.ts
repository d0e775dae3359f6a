import { Context, Data, Duration, Effect, Layer, Option, Redacted } from "effect"
import type * as OpenIdClient from "openid-client"
import { UpstreamUnreachable } from "../../../Api/Errors/ProviderErrors.ts"
import { makeBoundedFetch, reasonOf } from "../../../Outbound/BoundedFetch.ts"
import { ownDashboardUrl } from "../../../Settings.ts"
import { type OidcSettings, oidcSettings } from "../Settings.ts"

export interface Proofs {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: Redacted.Redacted
}

/** Identifies an account permanently, unlike an e-mail address. */
export interface OidcAccount {
  readonly issuer: string
  readonly subject: string
}

export class OidcRefused extends Data.TaggedError("OidcRefused")<{ readonly message: string }> {}

export interface Provider {
  readonly authorizeUrl: (proofs: Proofs) => Effect.Effect<string, UpstreamUnreachable>
  readonly account: (
    search: string,
    proofs: Proofs
  ) => Effect.Effect<OidcAccount, UpstreamUnreachable | OidcRefused>
}

export class OidcProvider extends Context.Service<OidcProvider, {
  readonly provider: Option.Option<Provider>
}>()("openaccounts/Features/SignIn/Oidc/OidcProvider") {
  static readonly layer = Layer.effect(
    OidcProvider,
    Effect.gen(function*() {
      const settings = yield* oidcSettings
      if (Option.isNone(settings)) return { provider: Option.none() }
      const redirectUri = `${yield* ownDashboardUrl}/auth/oidc/callback`
      return { provider: Option.some(yield* makeProvider(settings.value, redirectUri)) }
    })
  )
}

const makeProvider = Effect.fnUntraced(
  function*({ clientId, clientSecret, issuer }: OidcSettings, redirectUri: string) {
    const fetch = yield* makeBoundedFetch
    const load = yield* Effect.cached(Effect.promise(() => import("openid-client")))

    const attempt = <A>(request: () => Promise<A>) =>
      Effect.catchIf(
        Effect.tryPromise({ try: request, catch: refusedBy }),
        ({ isProviderFault }) => isProviderFault,
        ({ message }) =>
          Effect.andThen(
            Effect.logWarning(`The OpenID provider ${issuer} failed: ${message}`),
            new UpstreamUnreachable({
              message: `The OpenID provider ${issuer} does not answer as it should. Try again.`
            })
          )
      )

    const discover = Effect.gen(function*() {
      const client = yield* load
      const config = yield* attempt(() =>
        client.discovery(new URL(issuer), clientId, undefined, authentication(client, clientSecret), {
          [client.customFetch]: fetch,
          execute: [
            // The settings allow http only on loopback addresses.
            ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : []),
            client.enableNonRepudiationChecks
          ]
        })
      )
      const { authorization_endpoint, jwks_uri, token_endpoint } = config.serverMetadata()
      if (![authorization_endpoint, jwks_uri, token_endpoint].every((each) => URL.canParse(each ?? ""))) {
        return yield* new Failure({ message: "its metadata lacks an endpoint", isProviderFault: false })
      }
      return { client, config }
    }).pipe(
      Effect.catchTag("Failure", ({ message }) =>
        Effect.andThen(
          Effect.logWarning(`The OpenID provider ${issuer} cannot be used: ${message}`),
          new UpstreamUnreachable({ message: `The OpenID provider ${issuer} cannot be used.` })
        ))
    )
    const [cached, forget] = yield* Effect.cachedInvalidateWithTTL(discover, Duration.hours(1))
    const discovered = Effect.tapError(cached, () => forget)

    return {
      authorizeUrl: Effect.fnUntraced(function*({ codeVerifier, nonce, state }: Proofs) {
        const { client, config } = yield* discovered
        const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(Redacted.value(codeVerifier)))
        return client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "openid",
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: "S256"
        }).href
      }),

      account: Effect.fnUntraced(function*(search: string, { codeVerifier, nonce, state }: Proofs) {
        const { client, config } = yield* discovered
        const url = new URL(redirectUri)
        url.search = search
        const tokens = yield* Effect.mapError(
          attempt(() =>
            client.authorizationCodeGrant(config, url, {
              pkceCodeVerifier: Redacted.value(codeVerifier),
              expectedState: state,
              expectedNonce: nonce,
              idTokenExpected: true
            })
          ),
          (error) => error._tag === "Failure" ? new OidcRefused({ message: error.message }) : error
        )
        const claims = tokens.claims()
        if (claims === undefined || !storableSubject.test(claims.sub)) {
          return yield* new OidcRefused({ message: "the ID token has no usable subject" })
        }
        return { issuer: claims.iss, subject: claims.sub }
      })
    }
  }
)

/** At most as long as OpenID allows, without NUL and half surrogate pairs, which Postgres refuses. */
const storableSubject = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** `client_secret_basic`, or `client_secret_post` where the provider supports only that. */
const authentication = (
  { ClientSecretBasic, ClientSecretPost }: typeof OpenIdClient,
  secret: Redacted.Redacted
): OpenIdClient.ClientAuth =>
(server, ...rest) => {
  const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  const authenticate = supported.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost
  return authenticate(Redacted.value(secret))(server, ...rest)
}

class Failure extends Data.TaggedError("Failure")<{
  readonly message: string
  readonly isProviderFault: boolean
}> {}

const providerFaults: ReadonlySet<unknown> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_HTTP_REQUEST_FORBIDDEN"
])

const refusedBy = (error: unknown): Failure => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const detail = error instanceof Error && "error" in error ? `: ${String(error.error)}` : ""
  return new Failure({
    message: reasonOf(error) + detail,
    isProviderFault: code === undefined || providerFaults.has(code)
  })
}
