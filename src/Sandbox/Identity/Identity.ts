import { Clock, Context, Data, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { hash, randomUUID } from "node:crypto"
import { SandboxStore } from "../Data/SandboxStore.ts"
import { knownScopes } from "./Scopes.ts"
import { signedToken } from "./SignedToken.ts"

export type IdentityName = "google" | "sitesearch"

export const oauthClients: Readonly<Record<IdentityName, { readonly id: string; readonly secret: string }>> = {
  google: { id: "sandbox.apps.googleusercontent.com", secret: "GOCSPX-sandbox-client-secret" },
  sitesearch: { id: "sandbox-sitesearch-client", secret: "sandbox-sitesearch-secret" }
}

const Grant = Schema.Struct({
  grant: Schema.String,
  account: Schema.String,
  scope: Schema.String
})
export type Grant = typeof Grant.Type

const AccessToken = Schema.Struct({
  ...Grant.fields,
  id: Schema.String,
  kind: Schema.Literals(["user", "service_account"]),
  /** Epoch milliseconds. */
  expires: Schema.Number
})

export type Caller = typeof AccessToken.Type

export interface ServiceAccount {
  readonly account: string
  readonly scope: string
  readonly onBehalf: boolean
}

const Code = Schema.Struct({
  ...Grant.fields,
  redirectUri: Schema.String,
  challenge: Schema.NullOr(Schema.String),
  offline: Schema.Boolean,
  expires: Schema.Number
})
const decodeCode = Schema.decodeUnknownOption(Code)

export interface Tokens {
  readonly access_token: string
  readonly expires_in: number
  readonly token_type: string
  readonly scope: string
  readonly refresh_token?: string
}

export class OAuthError extends Data.TaggedError("OAuthError")<{
  readonly status: number
  readonly error: string
  readonly error_description: string
}> {}

export const oauthError = (error: string, error_description: string, status = 400) =>
  new OAuthError({ status, error, error_description })

export const refusal = (error: string, description: string, status?: number): Result.Result<never, OAuthError> =>
  Result.fail(oauthError(error, description, status))

/** What a person is asked to grant to an application. */
export interface Authorization {
  readonly account: string
  readonly scope: string
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly offline: boolean
}

const accessTokens = {
  google: signedToken("ya29.sandbox-", AccessToken),
  sitesearch: signedToken("sandbox-at-", AccessToken)
}
const refreshTokens = { google: signedToken("1//sandbox-", Grant), sitesearch: signedToken("sandbox-rt-", Grant) }

export const signRefreshToken = (identity: IdentityName, grant: Grant): string => refreshTokens[identity].sign(grant)

const accessLifetime = Duration.seconds(3599)
const codeLifetime = { google: Duration.minutes(10), sitesearch: Duration.minutes(5) }

const codeKind = "identity-code"
const revokedKind = "identity-revoked-grant"

/**
 * Tokens are self-contained, so the store has only codes and revoked grants. Revoking ends one grant, while Google ends
 * all grants of the account to the application.
 */
export class Identity extends Context.Service<Identity, {
  readonly issueCode: (identity: IdentityName, authorization: Authorization) => Effect.Effect<string>
  readonly redeemCode: (options: {
    readonly identity: IdentityName
    readonly code: string
    readonly redirectUri: string
    readonly verifier: string | undefined
  }) => Effect.Effect<Tokens, OAuthError>
  readonly refresh: (identity: IdentityName, refreshToken: string) => Effect.Effect<Tokens, OAuthError>
  readonly issueServiceAccountToken: (assertion: ServiceAccount) => Effect.Effect<Tokens>
  readonly revoke: (token: string) => Effect.Effect<void, OAuthError>
  readonly revokeGrant: (grant: string) => Effect.Effect<void>
  readonly verifyAccessToken: (identity: IdentityName, accessToken: string) => Effect.Effect<Option.Option<Caller>>
}>()("openaccounts/Sandbox/Identity/Identity") {
  static readonly layer = Layer.effect(
    Identity,
    Effect.gen(function*() {
      const store = yield* SandboxStore

      const issue = Effect.fnUntraced(function*(identity: IdentityName, grant: Grant, kind: Caller["kind"]) {
        const now = yield* Clock.currentTimeMillis
        const expires = now + Duration.toMillis(accessLifetime)
        const tokens: Tokens = {
          access_token: accessTokens[identity].sign({ ...grant, id: randomUUID(), kind, expires }),
          expires_in: Duration.toSeconds(accessLifetime),
          token_type: identity === "google" ? "Bearer" : "bearer",
          scope: grant.scope
        }
        return tokens
      })

      const isRevoked = (grant: string) => Effect.map(store.get(revokedKind, grant), Option.isSome)
      const revokeGrant = (grant: string) => store.put(revokedKind, grant, true)

      return Identity.of({
        issueCode: Effect.fnUntraced(function*(identity, { challenge, ...authorization }) {
          const code = `${identity === "google" ? "4/0A" : ""}${randomUUID()}`
          const now = yield* Clock.currentTimeMillis
          yield* store.put(codeKind, code, {
            ...authorization,
            grant: randomUUID(),
            challenge: challenge ?? null,
            expires: now + Duration.toMillis(codeLifetime[identity])
          })
          return code
        }),
        redeemCode: Effect.fnUntraced(function*({ code, identity, redirectUri, verifier }) {
          const now = yield* Clock.currentTimeMillis
          const { account, grant, offline, scope } = yield* store.modify(codeKind, code, (stored) =>
            Result.map(
              checkCode(Option.flatMap(stored, decodeCode), { now, redirectUri, verifier }),
              (result) => ({ result, next: null })
            ))
          const tokens = yield* issue(identity, { account, grant, scope }, "user")
          return offline ? { ...tokens, refresh_token: signRefreshToken(identity, { account, grant, scope }) } : tokens
        }),
        refresh: Effect.fnUntraced(function*(identity, refreshToken) {
          const grant = Option.getOrUndefined(refreshTokens[identity].verify(refreshToken))
          if (grant === undefined) return yield* oauthError("invalid_grant", "Bad Request")
          if (yield* isRevoked(grant.grant)) {
            return yield* oauthError("invalid_grant", "Token has been expired or revoked.")
          }
          const tokens = yield* issue(identity, grant, "user")
          return identity === "google" ? tokens : { ...tokens, refresh_token: refreshToken }
        }),
        issueServiceAccountToken: ({ account, onBehalf, scope }) =>
          issue(
            "google",
            { account, scope, grant: `service-account ${account}` },
            onBehalf ? "user" : "service_account"
          ),
        revoke: Effect.fnUntraced(function*(token) {
          const grant = refreshTokens.google.verify(token).pipe(
            Option.orElse((): Option.Option<Grant> => accessTokens.google.verify(token)),
            Option.getOrUndefined
          )
          if (grant === undefined || (yield* isRevoked(grant.grant))) {
            return yield* oauthError("invalid_token", "Token expired or revoked")
          }
          yield* revokeGrant(grant.grant)
        }),
        revokeGrant,
        verifyAccessToken: Effect.fnUntraced(function*(identity, accessToken) {
          const found = accessTokens[identity].verify(accessToken)
          if (Option.isNone(found)) return Option.none()
          const now = yield* Clock.currentTimeMillis
          const invalid = found.value.expires <= now || (yield* isRevoked(found.value.grant))
          return invalid ? Option.none() : found
        })
      })
    })
  )
}

const checkCode = (
  stored: Option.Option<typeof Code.Type>,
  { now, redirectUri, verifier }: {
    readonly now: number
    readonly redirectUri: string
    readonly verifier: string | undefined
  }
): Result.Result<typeof Code.Type, OAuthError> => {
  // `redeemCode` replaces a used code with null, which does not decode.
  if (Option.isNone(stored) || stored.value.expires <= now) return refusal("invalid_grant", "Malformed auth code.")
  const { challenge } = stored.value
  if (stored.value.redirectUri !== redirectUri) return refusal("redirect_uri_mismatch", "Bad Request")
  if (challenge === null) return Result.succeed(stored.value)
  if (verifier === undefined) return refusal("invalid_grant", "Missing code verifier.")
  return challenge === hash("sha256", verifier, "base64url")
    ? Result.succeed(stored.value)
    : refusal("invalid_grant", "Invalid code verifier.")
}

export const normalizeScope = (identity: IdentityName, scope: string): string | undefined => {
  const wanted = [...new Set(scope.split(/\s+/).filter((name) => name !== ""))]
  return wanted.length > 0 && wanted.every((name) => knownScopes[identity].has(name)) ? wanted.join(" ") : undefined
}
