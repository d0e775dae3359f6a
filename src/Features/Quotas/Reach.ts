import { Cache, Clock, Duration, Effect, Exit } from "effect"
import { hash } from "node:crypto"
import { QuotaStore } from "./QuotaStore.ts"

const rememberedMillis = 86_400_000
/** One statement an hour, instead of one with each answer. */
const notedMillis = 3_600_000
/** Another instance may have seen an answer meanwhile. */
const unknownMillis = 60_000

/** Whether an account has had a 2xx for a resource within a day, and until when that is remembered. */
interface Reached {
  readonly until: number
  readonly isReached: boolean
  readonly cachedMillis: number
}

/**
 * Anybody can name a resource. Only accounts that reach it count to its quotas for all callers. Known to all instances
 * of one database.
 */
export const makeReach = Effect.gen(function*() {
  const store = yield* QuotaStore
  const known = yield* Cache.makeWith(
    (key: string) => Effect.zipWith(store.reachedUntil(hashOf(key)), Clock.currentTimeMillis, reachedAt),
    {
      capacity: 10_000,
      timeToLive: (exit) => Exit.isSuccess(exit) ? Duration.millis(exit.value.cachedMillis) : Duration.zero
    }
  )

  return {
    find: (key: string): Effect.Effect<Reached> => Cache.get(known, key),
    /** After a 2xx. `undefined` if that was noted within the hour. */
    note: ({ until }: Reached, key: string, now: number): Effect.Effect<void> | undefined => {
      const next = now + rememberedMillis
      return next - until < notedMillis
        ? undefined
        : Effect.andThen(store.addReach(hashOf(key), next), Cache.set(known, key, reachedAt(next, now)))
    }
  }
})

const hashOf = (key: string): string => hash("sha256", key, "base64url")

const reachedAt = (until: number, now: number): Reached => ({
  until,
  isReached: until > now,
  cachedMillis: until > now ? until - now : unknownMillis
})
