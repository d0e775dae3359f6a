import { Clock, Deferred, Effect, Exit, FiberSet } from "effect"
import { randomUUID } from "node:crypto"
import { minOf } from "../../Domain/Lists.ts"
import { type Answer, ask, type Lease } from "./Bucket/Ask.ts"
import { type Bucket, givenBack, moved, settled, withHeld } from "./Bucket/Bucket.ts"
import { comesBackAt, holdMillis, useMillis } from "./Bucket/Rules.ts"
import type { Claim, Exhausted, LocalBucket, Taken, Waiter } from "./LocalBucket.ts"
import { QuotaStore } from "./QuotaStore.ts"

export interface Waiting {
  readonly member: string
  readonly priority: number
  readonly isBackground: boolean
  /** Epoch milliseconds. */
  readonly deadline: number
}

const shortestPollMillis = 100
const longestPollMillis = 500
/** How long a unit of a completed request is kept for the next one. */
const idleMillis = 500

/** Takes quota units from the instance's lease, or asks the shared bucket. Members take turns. */
export const makeGovernor = Effect.gen(function*() {
  const store = yield* QuotaStore
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const instance = randomUUID()
  const holding = new Set<LocalBucket>()

  const change = ({ key }: LocalBucket, change: (bucket: Bucket, now: number) => Bucket): Effect.Effect<void> =>
    Effect.clockWith((clock) =>
      store.change({ key, change: (bucket) => change(bucket, clock.currentTimeMillisUnsafe()) })
    )

  const giveBackLease = (bucket: LocalBucket, { units, until }: Lease): Effect.Effect<void> =>
    bucket.holds
      ? Effect.sync(() => release(bucket, units))
      : change(bucket, (before) => givenBack(before, until, units))

  const askFor = Effect.fnUntraced(function*(bucket: LocalBucket) {
    const asked = bucket.asked(instance, yield* Clock.currentTimeMillis)
    let answer: Answer | undefined
    yield* store.change({
      key: bucket.key,
      change: (before) => {
        const [given, after] = ask(before, asked)
        answer = given
        return after
      }
    })
    return answer
  })

  const pump = (bucket: LocalBucket): Effect.Effect<void> =>
    Effect.gen(function*() {
      for (;;) {
        const answer = yield* askFor(bucket)
        if (answer === undefined) return
        const now = yield* Clock.currentTimeMillis
        for (const lease of bucket.receive(answer, now)) fork(giveBackLease(bucket, lease))
        if (answer.ahead.units > 0) fork(endLease(bucket, answer.ahead, now))
        if (bucket.held > 0 && !holding.has(bucket)) {
          holding.add(bucket)
          fork(keepHolding(bucket))
        }
        if (bucket.waiting.size === 0) return
        const nexts = [answer.next, answer.nextBackground].filter((next) => next > now)
        if (nexts.length > 0 && !bucket.isWoken) {
          const nap = Math.min(longestPollMillis, Math.max(shortestPollMillis, minOf(nexts) - now))
          const alarm = bucket.alarm = Deferred.makeUnsafe<void>()
          yield* Effect.raceFirst(Effect.sleep(nap), Deferred.await(alarm))
          bucket.alarm = undefined
        }
      }
    }).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          bucket.isAsking = false
          if (Exit.isSuccess(exit)) {
            // A call may have begun to wait after the last look.
            if (bucket.waiting.size > 0) startPump(bucket)
            return
          }
          for (const { granted } of bucket.waiting) Deferred.doneUnsafe(granted, Exit.failCause(exit.cause))
          bucket.waiting.clear()
        })
      )
    )

  const startPump = (bucket: LocalBucket): void => {
    if (bucket.isAsking) return
    bucket.isAsking = true
    fork(Effect.ignoreCause(pump(bucket)))
  }

  const endLease = (bucket: LocalBucket, { units, until, useBy }: Lease, now: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const left = bucket.end(until, useBy)
      if (left === undefined) return Effect.void
      // A bucket in use gets new units ahead of the next call.
      if (left.units < units && bucket.wantsMore(useBy)) startPump(bucket)
      return left.units === 0 ? Effect.void : giveBackLease(bucket, left)
    }).pipe(Effect.delay(Math.max(0, useBy - now)))

  const keepHolding = (bucket: LocalBucket): Effect.Effect<void> =>
    change(bucket, (before, now) => withHeld(settled(before, now), instance, now + holdMillis(bucket.rules), 0)).pipe(
      Effect.delay(holdMillis(bucket.rules) / 4),
      Effect.repeat({ while: () => bucket.held > 0 }),
      Effect.ensuring(Effect.sync(() => holding.delete(bucket))),
      Effect.asVoid
    )

  const release = (bucket: LocalBucket, units: number): void => {
    if (bucket.othersWait && bucket.waiting.size > 0) {
      bucket.free += units
      return bucket.wake()
    }
    bucket.handOn(units)
    if (bucket.free === 0 || bucket.isReturning) return
    bucket.isReturning = true
    fork(Effect.delay(Effect.suspend(() => returnFree(bucket)), idleMillis))
  }

  const returnFree = (bucket: LocalBucket): Effect.Effect<void> => {
    bucket.isReturning = false
    const { free } = bucket
    if (free === 0) return Effect.void
    bucket.free = 0
    bucket.held -= free
    return change(
      bucket,
      (before, now) => withHeld(settled(before, now), instance, now + holdMillis(bucket.rules), -free)
    )
  }

  const giveBack = (taken: ReadonlyArray<Taken>): void => {
    for (const each of taken) fork(giveBackLease(each.bucket, each))
  }

  const enter = ({ bucket, units }: Claim, waiting: Waiting, now: number): Waiter => {
    const waiter: Waiter = { ...waiting, units, since: now, granted: Deferred.makeUnsafe(), isAsked: false }
    const next = bucket.refusal(waiter, now)
    bucket.waiting.add(waiter)
    if (bucket.isNews(waiter)) bucket.wake()
    if (next === undefined) startPump(bucket)
    else bucket.refuse(waiter, next)
    return waiter
  }

  /** Units that are used later than it was planned. */
  const renew = Effect.fnUntraced(function*(taken: Taken) {
    const { bucket, units } = taken
    const now = yield* Clock.currentTimeMillis
    const useBy = now + useMillis(bucket.rules)
    const until = comesBackAt(bucket.rules, useBy)
    if (until !== taken.until) yield* change(bucket, (before) => moved(before, taken.until, until, units))
    return { bucket, units, until, useBy }
  })

  /** Waits for all claims. If one is refused, what was given for the others is given back. */
  const waitFor = (claims: ReadonlyArray<Claim>, waiting: Waiting): Effect.Effect<ReadonlyArray<Taken>, Exhausted> =>
    Effect.suspend(() => {
      const places = claims.map((claim): Place => ({ claim, waiter: undefined, lease: undefined }))

      const fill = Effect.gen(function*() {
        for (;;) {
          const now = yield* Clock.currentTimeMillis
          const missing = places.filter(({ lease }) => lease === undefined || hasEnded(lease, now))
          if (missing.length === 0) {
            // What was given to wait for another claim may be too old by now.
            const late = places.flatMap(takenOf).filter((taken) => isLate(taken, now))
            if (late.length === 0) return
            const renewed = yield* Effect.forEach(late, renew, { concurrency: "unbounded" })
            for (const taken of renewed) {
              for (const place of places) if (place.claim.bucket === taken.bucket) place.lease = taken
            }
            continue
          }
          // A unit that a call has while it waits for another one is lost to other calls. So it waits for the narrowest
          // quota first, and takes nothing of a project while its account has nothing.
          const isScarce = missing.some(({ claim }) => claim.bucket.waiting.size > 0)
          const asked = isScarce ? missing.slice(0, 1) : missing
          for (const place of asked) {
            const { bucket, units } = place.claim
            place.lease = bucket.has(units, now, waiting.isBackground)
              ? bucket.take(waiting.member, units, now)
              : undefined
            place.waiter = place.lease === undefined ? enter(place.claim, waiting, now) : undefined
          }
          for (const place of asked) {
            if (place.waiter === undefined) continue
            place.lease = yield* Deferred.await(place.waiter.granted)
            place.waiter = undefined
          }
        }
      })

      return fill.pipe(
        Effect.as(places),
        Effect.map((filled) => filled.flatMap(takenOf)),
        Effect.onError(() =>
          Effect.sync(() => {
            for (const { claim, waiter } of places) {
              if (waiter !== undefined) claim.bucket.waiting.delete(waiter)
            }
            giveBack(places.flatMap(takenOf))
          })
        )
      )
    })

  /** What was taken ahead of calls, in the background. */
  const giveBackAhead = (bucket: LocalBucket): void => {
    fork(giveBackAll(bucket))
  }

  const giveBackAll = (bucket: LocalBucket): Effect.Effect<void> =>
    Effect.andThen(
      returnFree(bucket),
      Effect.forEach(bucket.endAll(), (lease) => giveBackLease(bucket, lease), { discard: true })
    )

  return { waitFor, renew, giveBack, giveBackAhead, giveBackAll, release, startPump, change, instance, fork }
})

export type Governor = Effect.Success<typeof makeGovernor>

export const isLate = ({ bucket, useBy }: Taken, now: number): boolean => !bucket.holds && useBy < now

/** Too late to renew it: the unit may have come back before the statement arrives. */
const hasEnded = ({ until, useBy }: Lease, now: number): boolean => useBy < now && until <= now + 1000

interface Place {
  readonly claim: Claim
  waiter: Waiter | undefined
  lease: Lease | undefined
}

const takenOf = ({ claim, lease, waiter }: Place): ReadonlyArray<Taken> => {
  const given = lease ?? waiter?.lease
  return given === undefined ? [] : [{ ...given, bucket: claim.bucket }]
}
