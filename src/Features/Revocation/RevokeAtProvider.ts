import { Clock, Effect, type Redacted, Result } from "effect"
import { InternalError, type ProviderCallError, type ProviderNotFound } from "../../Api/Errors.ts"
import { CredentialsExpired, UpstreamUnreachable } from "../../Api/Errors/ProviderErrors.ts"
import { ConnectionTokens } from "../../Connections/ConnectionTokens.ts"
import { isUsable, type OAuthCredentials, parseStoredCredentials } from "../../Connections/Credentials.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { identityOf } from "../../Providers/IdentityProvider.ts"
import { OAuth } from "../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { makeServiceClient } from "../../Providers/Sending/SendSteps.ts"
import type { RevocationError } from "./Revocation.ts"
import type { ClaimedLine, Outcome } from "./RevocationQueue.ts"

/** Less than the lease. */
const maxDuration = "25 seconds"

/** With their pauses, the attempts take about three minutes: Google needs time to refuse a revoked token everywhere. */
const maxAttempts = 5

/** Attempts including those without a result, because of a defect or a process that ended. */
const maxClaims = 2 * maxAttempts

/** 2, 8, 32 and 128 seconds. */
const pauseAfter = (attempts: number): number => 2000 * 4 ** (attempts - 1)

/** Revokes the token of a connection at its provider, then tries the old tokens. */
export const makeRevokeAtProvider = Effect.gen(function*() {
  const catalog = yield* Catalog
  const tokens = yield* ConnectionTokens
  const oauth = yield* OAuth
  const providerClient = yield* makeServiceClient

  /** Passes no `quotaAccount`, because a refused request counts to no quota. */
  const read = (provider: Provider, token: Redacted.Redacted) =>
    provider.cheapestRead === undefined ? new CredentialsExpired() : providerClient.call({
      provider,
      endpoint: provider.cheapestRead,
      input: {},
      access: {
        authType: "oauth",
        ownsFiles: Effect.succeed(true),
        secret: Effect.succeed(token),
        renew: () => new CredentialsExpired(),
        expire: Effect.void
      }
    })

  /** Whether the provider refuses the refresh token, and the access token while it lasts. */
  const isRefused = Effect.fnUntraced(function*(provider: Provider, tokens: OAuthCredentials) {
    const identity = yield* identityOf(provider)
    if (!(yield* refused(oauth.refresh(identity, tokens.refresh_token)))) return false
    return !isUsable(tokens, yield* Clock.currentTimeMillis) || (yield* refused(read(provider, tokens.access_token)))
  })

  const attempt = Effect.fnUntraced(function*(line: ClaimedLine, text: Redacted.Redacted) {
    const provider = yield* catalog.provider(line.provider)
    const credentials = yield* parseStoredCredentials("oauth", text)
    if (credentials.type !== "oauth") return yield* new CredentialsExpired()
    const { refresh_token } = credentials.oauth
    const holders = (yield* tokens.withToken(refresh_token)).filter(({ id }) => id !== line.connectionId)
    if (holders.some(({ status }) => status === "active")) return { sharedWith: holders.map(({ id }) => id) }
    const identity = yield* identityOf(provider)
    const revoked = yield* Effect.result(oauth.revoke(identity, refresh_token))
    const tried = yield* Effect.result(isRefused(provider, credentials.oauth))
    const verified = Result.isSuccess(tried) ? tried.success : null
    const error = Result.isFailure(revoked)
      ? errorOf(revoked.failure)
      : Result.isFailure(tried)
      ? errorOf(tried.failure)
      : verified === false
      ? tokenAccepted
      : null
    return { isRevoked: Result.isSuccess(revoked), verified, error }
  })

  return Effect.fn("RevokeAtProvider")(function*(line: ClaimedLine): Effect.fn.Return<Outcome> {
    const { atProvider, attempts, credentials, error } = line
    if (credentials === null) return { at_provider: atProvider, verified: null, error, retryAt: null }
    if (attempts > maxClaims) {
      return { at_provider: "failed", verified: null, error: errorOf(new InternalError()), retryAt: null }
    }
    const result = yield* Effect.flatMap(credentials, (text) => attempt(line, text)).pipe(
      Effect.timeoutOrElse({
        duration: maxDuration,
        orElse: () => Effect.fail(new UpstreamUnreachable({ message: `No answer within ${maxDuration}.` }))
      }),
      Effect.catchTag("DecryptionFailed", ({ message }) => new InternalError({ message })),
      Effect.catch((failure) => Effect.succeed({ isRevoked: false, verified: null, error: errorOf(failure) }))
    )
    if ("sharedWith" in result) {
      return { at_provider: null, verified: null, error: tokenInUse, sharedWith: result.sharedWith, retryAt: null }
    }
    const isDone = result.error === null || attempts >= maxAttempts
    const now = yield* Clock.currentTimeMillis
    return {
      at_provider: result.isRevoked ? "revoked" : isDone ? "failed" : null,
      verified: result.verified,
      error: result.error,
      retryAt: isDone ? null : now + pauseAfter(attempts)
    }
  })
})

const refused = <A>(use: Effect.Effect<A, ProviderCallError>) =>
  use.pipe(Effect.as(false), Effect.catchTag("CredentialsExpired", () => Effect.succeed(true)))

const errorOf = ({ code, message }: ProviderCallError | ProviderNotFound): RevocationError => ({ code, message })

const tokenAccepted: RevocationError = {
  code: "token_accepted",
  message: "The provider still accepts the revoked token."
}

const tokenInUse: RevocationError = {
  code: "token_in_use",
  message: "Another active connection has the same sign-in, so the token was not revoked. Revoke that one too."
}
