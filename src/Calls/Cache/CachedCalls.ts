import { Clock, Duration, Effect, Option } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import type { Share } from "../../Capacity/Capacity.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { isRedacted } from "../../Secrets/Redaction/KnownSecrets.ts"
import { Cache, isTooLong } from "./Cache.ts"
import type { CacheKey } from "./CacheKey.ts"
import { makeSharedReads } from "./SharedReads.ts"

type ProviderCall = Effect.Effect<JsonText, CallError>

export interface CachedRead {
  readonly data: JsonText
  readonly cached: boolean
  readonly store: Effect.Effect<void> | undefined
}

export const makeCachedCalls = Effect.gen(function*() {
  const cache = yield* Cache
  const connections = yield* CachedConnections
  const shareRead = yield* makeSharedReads<JsonText, CallError>(concernsAll)

  const store = (key: CacheKey, data: JsonText, requestedAt: number) =>
    isTooLong(data) || isRedacted(data) ? Effect.void : cache.put(key, data, requestedAt)

  /** Never fails, so that the response to a write is always sent. */
  const drop = (connection: StoredConnection) =>
    Effect.flatMap(connections.family(connection), (ids) => Effect.forEach(ids, cache.drop, { discard: true })).pipe(
      Effect.catchCause((cause) =>
        Effect.logError(`The cache of ${connection.id} may still have responses from before a write`, cause)
      )
    )

  return {
    read: Effect.fnUntraced(function* readCached(
      key: CacheKey,
      maxAgeSeconds: number,
      callProvider: (share: Share) => ProviderCall,
      share: Share
    ): Effect.fn.Return<CachedRead, CallError> {
      const requestedAt = yield* Clock.currentTimeMillis
      if (maxAgeSeconds === 0) {
        const data = yield* callProvider(share)
        return { data, cached: false, store: store(key, data, requestedAt) }
      }
      const stored = yield* cache.get(key, Duration.seconds(maxAgeSeconds))
      if (Option.isSome(stored)) return { data: stored.value, cached: true, store: undefined }
      const [data, shared] = yield* shareRead(
        key.name,
        (using) => Effect.tap(callProvider(using), (data) => store(key, data, requestedAt)),
        share,
        (startedAt) => cache.droppedSince(key.connection.id, startedAt)
      )
      return { data, cached: shared, store: undefined }
    }),

    /**
     * Drops the responses of all connections with the same credentials, also after a failure if the provider was asked:
     * it may have carried out the write.
     */
    write: (connection: StoredConnection, callProvider: ProviderCall, hasAsked: () => boolean): ProviderCall =>
      Effect.ensuring(callProvider, Effect.suspend(() => hasAsked() ? drop(connection) : Effect.void))
  }
})

/** Whether an error of a read comes from the provider, the connection or the input. */
const concernsAll = (error: CallError): boolean => {
  switch (error._tag) {
    case "Unauthenticated":
    case "Forbidden":
    case "ReadOnly":
    case "ConnectionNotFound":
      return false
    case "RateLimited":
      return error.details.limited_by === "provider_quota"
    default:
      return true
  }
}
