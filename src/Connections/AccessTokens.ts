import {
  Cache,
  Cause,
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Redacted,
  Schedule
} from "effect"
import { CredentialsExpired, type ProviderError } from "../Api/Errors.ts"
import type { Connection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import { identityOf, type IdentityProvider } from "../Providers/OAuth/IdentityProvider.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider } from "../Providers/Provider.ts"
import type { Access } from "../Providers/ProviderClient.ts"
import { CachedConnections } from "./CachedConnections.ts"
import { ConnectionRepo, type StoredCredentials } from "./ConnectionRepo.ts"
import { type OAuthCredentials, serializeTokens } from "./Credentials.ts"
import { RefreshLease } from "./RefreshLease.ts"

/** A token that expires sooner than this is refreshed first (section 6 of the contract). */
const refreshAhead = Duration.seconds(60)

/** How long the claim of an instance that has died keeps the others from refreshing. */
const leaseDuration = Duration.seconds(10)

/** How often an instance that is still refreshing, which can take as long as `UPSTREAM_TIMEOUT`, renews its claim. */
const claimRenewal = Duration.seconds(3)

/** How often an instance looks whether another one has finished its refresh. */
const refreshPoll = Schedule.spaced(Duration.millis(100))

/** A connection's credentials as they were when somebody found that they need renewing. */
interface Grant {
  readonly id: ConnectionId
  readonly version: number
  readonly identity: IdentityProvider
}

interface Current {
  readonly token: Redacted.Redacted
  readonly version: number
}

/** A service account's key, and what a token for it is to be good for. */
interface Assertion {
  readonly id: ConnectionId
  readonly version: number
  readonly identity: IdentityProvider
  readonly scopes: string
}

/** Turns stored connections into credentials that are good now; one refresh at a time per connection, everywhere. */
export class AccessTokens extends Context.Service<AccessTokens, {
  readonly access: (connection: Connection, provider: Provider) => Access
}>()("openaccounts/Connections/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const connections = yield* ConnectionRepo
      const cachedConnections = yield* CachedConnections
      const refreshLease = yield* RefreshLease
      const oauth = yield* OAuth
      const scope = yield* Effect.scope

      const stored = (id: ConnectionId) => Effect.flatMap(cachedConnections.credentials(id), unlessRevoked)

      const keepClaim = ({ id, version }: Grant): Effect.Effect<never> =>
        refreshLease.extend(id, version, leaseDuration).pipe(
          Effect.catchCause((cause) => Effect.logWarning(`The claim to refresh ${id} could not be renewed`, cause)),
          Effect.delay(claimRenewal),
          Effect.forever
        )

      /** What comes back is stored before it is used, also when nobody waits for it any more. */
      const refresh = (grant: Grant, { refresh_token }: OAuthCredentials) => {
        const { id, identity, version } = grant
        return Effect.uninterruptibleMask((restore) =>
          restore(Effect.raceFirst(oauth.refresh(identity, refresh_token), keepClaim(grant))).pipe(
            Effect.tap((tokens) => connections.saveTokens(id, version, serializeTokens(tokens, refresh_token))),
            Effect.tapCause((cause) =>
              Option.getOrUndefined(Cause.findErrorOption(cause))?._tag === "CredentialsExpired"
                ? connections.expire(id, version)
                : refreshLease.release(id, version)
            ),
            Effect.map((tokens): Current => ({ token: tokens.accessToken, version: version + 1 }))
          )
        )
      }

      /** The access token of the next version: refreshed here, or by whichever instance is at it; none yet while it is. */
      const next = Effect.fnUntraced(function*(
        grant: Grant
      ): Effect.fn.Return<Option.Option<Current>, ProviderError> {
        const { credentials, version } = yield* Effect.flatMap(connections.credentials(grant.id), unlessRevoked)
        if (credentials.type !== "oauth") return yield* new CredentialsExpired()
        if (version !== grant.version && credentials.oauth.access_token !== undefined) {
          return Option.some({ token: credentials.oauth.access_token, version })
        }
        const claimed = yield* refreshLease.claim(grant.id, version, leaseDuration)
        return claimed ? Option.some(yield* refresh({ ...grant, version }, credentials.oauth)) : Option.none()
      })

      const renewals = yield* Cache.makeWith(
        (grant: Grant) =>
          next(grant).pipe(
            Effect.repeat({ schedule: refreshPoll, until: Option.isSome }),
            Effect.map(Option.getOrThrow),
            // Not the caller's to interrupt: a refresh token that the provider has replaced must be stored.
            Effect.forkIn(scope),
            Effect.flatMap(Fiber.join)
          ),
        { capacity: 10_000, timeToLive: () => Duration.zero }
      )

      const assertions = yield* Cache.makeWith(
        Effect.fnUntraced(function*({ id, identity, scopes }: Assertion) {
          const { credentials } = yield* stored(id)
          if (credentials.type !== "service_account") return yield* new CredentialsExpired()
          const { accessToken, expiresAt } = yield* oauth.assertServiceAccount(
            identity,
            credentials.key,
            scopes.split(" ")
          )
          const now = yield* Clock.currentTimeMillis
          return { accessToken, goodFor: Duration.subtract(Duration.millis(expiresAt - now), refreshAhead) }
        }),
        {
          capacity: 10_000,
          timeToLive: (exit) => Exit.isSuccess(exit) ? exit.value.goodFor : Duration.zero
        }
      )

      const asserted = Effect.fnUntraced(function*(assertion: Assertion, isRefused: boolean) {
        if (isRefused) yield* Cache.invalidate(assertions, assertion)
        const { accessToken } = yield* Cache.get(assertions, assertion)
        return [accessToken, assertion.version] as const
      })

      const current = (
        { id, scopes }: Connection,
        provider: Provider,
        refused?: Redacted.Redacted
      ): Effect.Effect<readonly [secret: Redacted.Redacted, version: number], ProviderError> =>
        Effect.flatMap(
          stored(id),
          (
            { credentials, version }
          ): Effect.Effect<readonly [secret: Redacted.Redacted, version: number], ProviderError> => {
            switch (credentials.type) {
              case "api_key":
                return Effect.succeed([credentials.apiKey, version])
              case "service_account": {
                const wanted = scopes.length > 0 ? scopes : provider.scopes.write
                return Effect.flatMap(identityOf(provider), (identity) =>
                  asserted({ id, version, identity, scopes: wanted.join(" ") }, refused !== undefined))
              }
              case "oauth": {
                const { oauth } = credentials
                return Effect.clockWith((clock) =>
                  isGood(oauth, refused, clock.currentTimeMillisUnsafe())
                    ? Effect.succeed([oauth.access_token, version])
                    : Effect.map(
                      Effect.flatMap(
                        identityOf(provider),
                        (identity) =>
                          Cache.get(renewals, { id, version, identity })
                      ),
                      (renewed) => [renewed.token, renewed.version]
                    )
                )
              }
            }
          }
        )

      return AccessTokens.of({
        access: (connection, provider) => {
          // What the provider saw last: a connection that was reconnected since then has not died.
          let used = 0
          const secret = (refused?: Redacted.Redacted) =>
            Effect.map(current(connection, provider, refused), ([secret, version]) => {
              used = version
              return secret
            })
          return {
            authType: connection.auth_type,
            ownsFiles: Effect.map(
              stored(connection.id),
              ({ credentials }) => credentials.type !== "service_account" || credentials.key.subject !== undefined
            ),
            secret: secret(),
            renew: secret,
            expire: Effect.suspend(() => connections.expire(connection.id, used))
          }
        }
      })
    })
  )
}

/** Fails for a connection that has just been revoked. */
const unlessRevoked = (found: Option.Option<StoredCredentials>) =>
  Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new CredentialsExpired())

type WithToken = OAuthCredentials & { readonly access_token: Redacted.Redacted }

/** Whether the access token is there, is not the one that the provider refused, and lives long enough. */
const isGood = (oauth: OAuthCredentials, refused: Redacted.Redacted | undefined, now: number): oauth is WithToken => {
  const { access_token, expires_at } = oauth
  if (access_token === undefined) return false
  if (refused !== undefined && Redacted.value(refused) === Redacted.value(access_token)) return false
  return expires_at === undefined || DateTime.toEpochMillis(expires_at) - now > Duration.toMillis(refreshAhead)
}
