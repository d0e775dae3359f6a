import {
  Cache,
  Cause,
  Clock,
  Context,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  type Redacted,
  Schedule
} from "effect"
import { InternalError, type ProviderCallError } from "../Api/Errors.ts"
import { CredentialsExpired } from "../Api/Errors/ProviderErrors.ts"
import { Audit } from "../Audit/Audit.ts"
import type { ExpiryReason, StoredConnection } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import { CurrentActor, systemActor } from "../Domain/Request/Actor.ts"
import { identityOf, type IdentityProvider } from "../Providers/IdentityProvider.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider } from "../Providers/Provider.ts"
import type { Access } from "../Providers/ProviderClient.ts"
import type { QuotaAccount } from "../Providers/Quota.ts"
import type { DecryptionFailed } from "../Secrets/Vault.ts"
import { keepExtending, leaseDuration } from "../Sql/Lease.ts"
import { quotaAccountOf } from "./Bounds/QuotaAccounts.ts"
import { CachedConnections } from "./CachedConnections.ts"
import { ConnectionHealth } from "./ConnectionHealth.ts"
import { ConnectionRepo } from "./ConnectionRepo.ts"
import { ConnectionTokens, type StoredCredentials } from "./ConnectionTokens.ts"
import { credentialsIdOf, isUsable, type OAuthCredentials, refreshAhead, serializeTokens } from "./Credentials.ts"

const refreshPollSchedule = Schedule.spaced(Duration.millis(100))

interface Grant {
  readonly id: ConnectionId
  readonly version: number
  readonly identity: IdentityProvider
}

interface VersionedToken {
  readonly token: Redacted.Redacted
  readonly version: number
}

interface Assertion {
  readonly id: ConnectionId
  readonly version: number
  readonly identity: IdentityProvider
  readonly scopes: string
}

export class AccessTokens extends Context.Service<AccessTokens, {
  readonly access: (connection: StoredConnection, provider: Provider) => Access
}>()("openaccounts/Connections/AccessTokens") {
  static readonly layerNoDeps = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const connections = yield* ConnectionRepo
      const stored = yield* ConnectionTokens
      const health = yield* ConnectionHealth
      const cachedConnections = yield* CachedConnections
      const { refreshLease } = stored
      const oauth = yield* OAuth
      const audit = yield* Audit
      const scope = yield* Effect.scope

      const expire = (id: ConnectionId, version: number, reason: ExpiryReason) =>
        audit.change(
          Effect.gen(function*() {
            if (!(yield* stored.expire(id, version))) return []
            const now = yield* Clock.currentTimeMillis
            yield* health.setLastError(id, { code: "credentials_expired", at: new Date(now) })
            return [...Option.toArray(yield* connections.find(id)), ...yield* connections.derived(id)]
          }),
          (expired) =>
            expired.map((connection) => ({
              action: "connection.expired",
              subject: connection.id,
              details: { reason },
              event: {
                type: "connection.expired",
                // Only the parent can be reconnected.
                data: { connection, reason, ...connection.parent_id === null ? {} : { connect_url: null } }
              }
            }))
        ).pipe(Effect.provideService(CurrentActor, systemActor), Effect.asVoid)

      const loadCredentials = (id: ConnectionId) => readable(cachedConnections.credentials(id))

      const isStopped = ({ id }: StoredConnection) =>
        Effect.map(
          cachedConnections.find(id),
          (found) => Option.isNone(found) || found.value.status === "revoked"
        )

      const keepLease = ({ id, version }: Grant): Effect.Effect<never> =>
        keepExtending(refreshLease.extend(id, version, leaseDuration), `refresh lease of ${id}`)

      const refresh = (grant: Grant, before: OAuthCredentials) => {
        const { id, identity, version } = grant
        return Effect.uninterruptibleMask((restore) =>
          restore(Effect.raceFirst(oauth.refresh(identity, before.refresh_token), keepLease(grant))).pipe(
            Effect.tap((tokens) => stored.saveTokens(id, version, serializeTokens(tokens, before))),
            Effect.tapCause((cause) =>
              Option.getOrUndefined(Cause.findErrorOption(cause))?._tag === "CredentialsExpired"
                ? expire(id, version, "refresh_refused")
                : refreshLease.release(id, version)
            ),
            Effect.map((tokens): VersionedToken => ({ token: tokens.accessToken, version: version + 1 }))
          )
        )
      }

      const tryRenew = Effect.fnUntraced(function* tryRenew(
        grant: Grant
      ): Effect.fn.Return<Option.Option<VersionedToken>, ProviderCallError> {
        const { credentials, version } = yield* readable(stored.credentials(grant.id))
        if (credentials.type !== "oauth") return yield* new CredentialsExpired()
        if (version !== grant.version && credentials.oauth.access_token !== undefined) {
          return Option.some({ token: credentials.oauth.access_token, version })
        }
        const claimed = yield* refreshLease.claim(grant.id, version, leaseDuration)
        return claimed ? Option.some(yield* refresh({ ...grant, version }, credentials.oauth)) : Option.none()
      })

      const renewals = yield* Cache.makeWith(
        (grant: Grant) =>
          tryRenew(grant).pipe(
            Effect.repeat({ schedule: refreshPollSchedule, until: Option.isSome }),
            Effect.map(Option.getOrThrow),
            // An interrupted caller must not stop the refresh: the provider may have replaced the refresh token.
            Effect.forkIn(scope),
            Effect.flatMap(Fiber.join)
          ),
        { capacity: 10_000, timeToLive: () => Duration.zero }
      )

      const assertions = yield* Cache.makeWith(
        Effect.fnUntraced(function*({ id, identity, scopes }: Assertion) {
          const { credentials } = yield* loadCredentials(id)
          if (credentials.type !== "service_account") return yield* new CredentialsExpired()
          const { accessToken, expiresAtMillis } = yield* oauth.assertServiceAccount(
            identity,
            credentials.key,
            scopes.split(" ")
          )
          const now = yield* Clock.currentTimeMillis
          return { accessToken, timeToLive: Duration.subtract(Duration.millis(expiresAtMillis - now), refreshAhead) }
        }),
        {
          capacity: 10_000,
          timeToLive: (exit) => Exit.isSuccess(exit) ? exit.value.timeToLive : Duration.zero
        }
      )

      const serviceAccountToken = Effect.fnUntraced(
        function* serviceAccountToken(assertion: Assertion, isRejected: boolean) {
          if (isRejected) yield* Cache.invalidate(assertions, assertion)
          const { accessToken } = yield* Cache.get(assertions, assertion)
          return [accessToken, assertion.version] as const
        }
      )

      const currentSecret = (
        connection: StoredConnection,
        provider: Provider,
        rejected?: Redacted.Redacted
      ): Effect.Effect<readonly [secret: Redacted.Redacted, version: number], ProviderCallError> => {
        const { scopes } = connection
        const id = credentialsIdOf(connection)
        return Effect.flatMap(
          loadCredentials(id),
          (
            { credentials, version }
          ): Effect.Effect<readonly [secret: Redacted.Redacted, version: number], ProviderCallError> => {
            switch (credentials.type) {
              case "api_key":
                return Effect.succeed([credentials.apiKey, version])
              case "service_account": {
                const wanted = scopes.length > 0 ? scopes : provider.scopes.write
                return Effect.flatMap(
                  identityOf(provider),
                  (identity) =>
                    serviceAccountToken({ id, version, identity, scopes: wanted.join(" ") }, rejected !== undefined)
                )
              }
              case "oauth": {
                const { oauth } = credentials
                return Effect.clockWith((clock) =>
                  isUsable(oauth, clock.currentTimeMillisUnsafe(), rejected)
                    ? Effect.succeed([oauth.access_token, version])
                    : Effect.gen(function* renewSecret() {
                      const identity = yield* identityOf(provider)
                      const renewed = yield* Cache.get(renewals, { id, version, identity })
                      if (yield* isStopped(connection)) return yield* new CredentialsExpired()
                      return [renewed.token, renewed.version] as const
                    })
                )
              }
            }
          }
        )
      }

      /** Accounts by their cached connection, because every call asks for one. */
      const accounts = new WeakMap<StoredConnection, QuotaAccount>()

      const quotaAccount = (connection: StoredConnection, provider: Provider) => {
        const known = accounts.get(connection)
        if (known !== undefined) return Effect.succeed(known)
        const account = Effect.map(loadCredentials(credentialsIdOf(connection)), ({ credentials, signedInAs }) => {
          const account = quotaAccountOf(oauth, provider, credentials, signedInAs)
          accounts.set(connection, account)
          return account
        })
        // A key file may name any address. Only Google's token shows that the key is that account's.
        return connection.auth_type === "service_account"
          ? Effect.andThen(currentSecret(connection, provider), account)
          : account
      }

      return AccessTokens.of({
        access: (connection, provider) => {
          const id = credentialsIdOf(connection)
          // The version that the provider saw last, because `expire` must not affect newer credentials.
          let used = 0
          const secret = (rejected?: Redacted.Redacted) =>
            Effect.map(currentSecret(connection, provider, rejected), ([secret, version]) => {
              used = version
              return secret
            })
          return {
            authType: connection.auth_type,
            quotaAccount: quotaAccount(connection, provider),
            ownsFiles: Effect.map(
              loadCredentials(id),
              ({ credentials }) => credentials.type !== "service_account" || credentials.key.subject !== undefined
            ),
            secret: secret(),
            renew: secret,
            expire: Effect.suspend(() => expire(id, used, "access_refused")),
            isStopped: isStopped(connection)
          }
        }
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(CachedConnections.layer))
}

const readable = (stored: Effect.Effect<Option.Option<StoredCredentials>, DecryptionFailed>) =>
  Effect.matchEffect(stored, {
    onSuccess: (found) => Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new CredentialsExpired()),
    onFailure: lacksEncryptionKey
  })

export const lacksEncryptionKey = (error: DecryptionFailed): Effect.Effect<never, InternalError> =>
  Effect.andThen(
    Effect.logError(error.message),
    Effect.fail(new InternalError({ message: encryptionKeyMissing, cause: error }))
  )

const encryptionKeyMissing =
  "The service lacks the connection's encryption key. Retrying does not help. Ask its operator to restore the key, or " +
  "reconnect the connection."
