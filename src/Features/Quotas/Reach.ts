import { Cache, Clock, Effect, Exit } from "effect"
import { hash } from "node:crypto"
import { QuotaStore } from "./QuotaStore.ts"

const rememberedMillis = 86_400_000
/** One statement an hour, instead of one with each response. */
const notedMillis = 3_600_000

export interface Reach {
  readonly isReached: boolean
  /** Run it after a 2xx. Absent if one was noted within the hour. */
  readonly note: Effect.Effect<void> | undefined
}

/**
 * Whether an account has had a 2xx for a resource within a day, in all instances of one database. Anybody can name a
 * resource: only accounts that reach it count to its quotas for all callers.
 */
export const makeFindReach = Effect.gen(function*() {
  const store = yield* QuotaStore
  const clock = yield* Clock.Clock
  const known = yield* Cache.makeWith((key: string) => store.reachedUntil(hash("sha256", key, "base64url")), {
    capacity: 10_000,
    // Another instance may have seen a response meanwhile.
    timeToLive: (exit) => Exit.isSuccess(exit) && exit.value > 0 ? "1 hour" : "1 minute"
  })

  const note = Effect.fnUntraced(function*(key: string) {
    const until = clock.currentTimeMillisUnsafe() + rememberedMillis
    yield* store.addReach(hash("sha256", key, "base64url"), until)
    yield* Cache.set(known, key, until)
  })

  return (key: string): Effect.Effect<Reach> =>
    Effect.mapEager(Cache.get(known, key), (until) => {
      const now = clock.currentTimeMillisUnsafe()
      return { isReached: until > now, note: now + rememberedMillis - until < notedMillis ? undefined : note(key) }
    })
})
