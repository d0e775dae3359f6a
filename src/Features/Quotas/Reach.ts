import { Cache, Clock, Effect, Exit } from "effect"
import { hash } from "node:crypto"
import { QuotaStore } from "./QuotaStore.ts"

const rememberedMillis = 86_400_000
/** One statement an hour, instead of one with each answer. */
const notedMillis = 3_600_000

/** Whether an account that is remembered until then was noted within the hour. */
export const isNoted = (until: number, now: number): boolean => now + rememberedMillis - until < notedMillis

/**
 * Until when it is remembered that an account has had a 2xx for a resource, in all instances of one database. Anybody can
 * name a resource: only accounts that reach it count to its quotas for all callers.
 */
export const makeReach = Effect.gen(function*() {
  const store = yield* QuotaStore
  const known = yield* Cache.makeWith((key: string) => store.reachedUntil(hashOf(key)), {
    capacity: 10_000,
    // Another instance may have seen an answer meanwhile.
    timeToLive: (exit) => Exit.isSuccess(exit) && exit.value > 0 ? "1 hour" : "1 minute"
  })

  return {
    /** Epoch milliseconds. 0: not at all. */
    find: (key: string): Effect.Effect<number> => Cache.get(known, key),
    /** After a 2xx. */
    note: Effect.fnUntraced(function*(key: string) {
      const until = (yield* Clock.currentTimeMillis) + rememberedMillis
      yield* store.addReach(hashOf(key), until)
      yield* Cache.set(known, key, until)
    })
  }
})

const hashOf = (key: string): string => hash("sha256", key, "base64url")
