import { Clock, Deferred, Effect, Exit, FiberSet } from "effect"
import { randomUUID } from "node:crypto"
import { type Answer, ask, leaseMillis } from "./Bucket/Ask.ts"
import { type Bucket, granted, grantOf, returned } from "./Bucket/Bucket.ts"
import {
  answered,
  asked,
  entered,
  expired,
  failed,
  left,
  type Queue,
  refusedUntil,
  takenAhead,
  type Waiter,
  withReturned
} from "./Bucket/Queue.ts"
import type { Claim, Exhausted, LocalBucket, Place, Taken } from "./LocalBuckets.ts"
import { QuotaStore } from "./QuotaStore.ts"

/** Takes units from the leases of this instance, or asks the shared buckets. */
export const makeGovernor = Effect.gen(function*() {
  const store = yield* QuotaStore
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const instance = randomUUID()
  const now = () => clock.currentTimeMillisUnsafe()

  const change = ({ key }: LocalBucket, change: (before: Bucket, now: number) => Bucket): Effect.Effect<void> =>
    store.change({ key, change: (before) => change(before, now()) })

  const set = (bucket: LocalBucket, queue: Queue<Place>): void => {
    const { phase } = bucket.queue
    bucket.queue = queue
    if (phase._tag === "Idle" && queue.phase._tag !== "Idle") fork(Effect.ignoreCause(pump(bucket)))
    else if (phase !== queue.phase) bucket.bell.openUnsafe()
  }

  /** Asks until the queue is idle. */
  const pump = (bucket: LocalBucket): Effect.Effect<void> =>
    Effect.gen(function*() {
      for (;;) {
        const [question, asking] = asked(bucket.queue, { instance, rules: bucket.quota, now: now() })
        bucket.queue = asking
        let answer: Answer | undefined
        yield* change(bucket, (before, now) => {
          const [given, after] = ask(before, bucket.quota, question, now)
          answer = given
          return after
        })
        if (answer !== undefined) settle(bucket, answer)
        const { phase } = bucket.queue
        if (phase._tag !== "Resting") return
        bucket.bell.closeUnsafe()
        yield* Effect.raceFirst(Effect.sleep(Math.max(0, phase.until - now())), bucket.bell.await)
      }
    }).pipe(
      Effect.onError((cause) =>
        Effect.sync(() => {
          for (const { done } of bucket.queue.waiting) Deferred.doneUnsafe(done, Exit.failCause(cause))
          bucket.queue = failed(bucket.queue)
        })
      )
    )

  const settle = (bucket: LocalBucket, answer: Answer): void => {
    const { granted, queue, refused } = answered(bucket.queue, answer, now())
    bucket.queue = queue
    for (const [place, grant] of granted) {
      place.taken = { ...grant, bucket }
      Deferred.doneUnsafe(place.done, Exit.succeed(place.taken))
    }
    for (const [{ done }, next] of refused) Deferred.doneUnsafe(done, Exit.fail({ bucket, next }))
    // Not as soon as its time is over: until then, another question returns the rest, which saves a statement.
    const expire = Effect.sync(() => set(bucket, expired(bucket.queue, now())))
    if (answer.lease !== undefined) fork(Effect.delay(expire, 2 * leaseMillis(bucket.quota)))
  }

  /** From leases alone, which costs no statement. */
  const takeAhead = (
    claims: ReadonlyArray<Claim>,
    waiting: Omit<Waiter, "units">
  ): ReadonlyArray<Taken> | undefined => {
    const all = claims.flatMap(({ bucket, units }) => {
      const ahead = takenAhead(bucket.queue, { ...waiting, units }, now())
      return ahead === undefined ? [] : [{ bucket, ahead }]
    })
    if (all.length < claims.length) return undefined
    return all.map(({ ahead: [grant, queue], bucket }) => {
      bucket.queue = queue
      return { ...grant, bucket }
    })
  }

  const enter = ({ bucket, units }: Claim, waiting: Omit<Waiter, "units">): Place => {
    const place: Place = { ...waiting, units, bucket, done: Deferred.makeUnsafe(), taken: undefined }
    const [ahead] = takeAhead([{ bucket, units }], waiting) ?? []
    const next = refusedUntil(bucket.queue, place, now())
    if (ahead !== undefined) {
      place.taken = ahead
      Deferred.doneUnsafe(place.done, Exit.succeed(ahead))
    } else if (next !== undefined) Deferred.doneUnsafe(place.done, Exit.fail({ bucket, next }))
    else set(bucket, entered(bucket.queue, place, now()))
    return place
  }

  const giveBack = ({ bucket, ...grant }: Taken): void => set(bucket, withReturned(bucket.queue, grant, now()))

  const leave = (place: Place): void =>
    place.taken === undefined ? set(place.bucket, left(place.bucket.queue, place)) : giveBack(place.taken)

  /** Units that are used later than it was planned come back later. */
  const renew = (taken: ReadonlyArray<Taken>): Effect.Effect<ReadonlyArray<Taken>> => {
    if (taken.every(({ useBy }) => useBy >= now())) return Effect.succeed(taken)
    return Effect.forEach(taken, (each): Effect.Effect<Taken> => {
      const { bucket, units, useBy } = each
      if (useBy >= now()) return Effect.succeed(each)
      const grant = grantOf(bucket.quota, units, now())
      const move = (before: Bucket) => granted(returned(before, bucket.quota, each), bucket.quota, grant)
      return Effect.as(change(bucket, move), { ...grant, bucket })
    }, { concurrency: "unbounded" })
  }

  /** If one claim is refused, what was granted for the others goes back. */
  const take = (
    claims: ReadonlyArray<Claim>,
    waiting: Omit<Waiter, "units">
  ): Effect.Effect<ReadonlyArray<Taken>, Exhausted> =>
    Effect.suspend(() => {
      const ahead = takeAhead(claims, waiting)
      if (ahead !== undefined) return Effect.succeed(ahead)
      const places: Array<Place> = []
      const start = (claim: Claim): Place => {
        const place = enter(claim, waiting)
        places.push(place)
        return place
      }
      // A unit that a request has while it waits for another one is lost to others. So it waits for the narrowest quota
      // first, and takes nothing of a project while its account has nothing.
      const isScarce = claims.some(({ bucket }) => bucket.queue.waiting.length > 0)
      const started = isScarce ? [] : claims.map(start)
      return Effect.forEach(claims, (claim, index) => Deferred.await((started[index] ?? start(claim)).done)).pipe(
        Effect.flatMap(renew),
        Effect.onError(() => Effect.sync(() => places.forEach(leave)))
      )
    })

  const giveBackAll = (buckets: Iterable<LocalBucket>): Effect.Effect<void> =>
    Effect.forEach(buckets, (bucket) => {
      const { lease, returns } = bucket.queue
      const unused = lease === undefined ? returns : [...returns, lease]
      return unused.length === 0
        ? Effect.void
        : change(bucket, (before) => unused.reduce((all, each) => returned(all, bucket.quota, each), before))
    }, { concurrency: "unbounded", discard: true })

  return { change, giveBack, giveBackAll, renew, take }
})

export type Governor = Effect.Success<typeof makeGovernor>
