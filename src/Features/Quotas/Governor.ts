import { Clock, Deferred, Effect, Exit, FiberSet, Latch } from "effect"
import { hash, randomUUID } from "node:crypto"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Quota } from "../../Providers/Quota.ts"
import {
  type Answer,
  ask,
  type Bucket,
  emptyBucket,
  type Grant,
  grantOf,
  isFresh,
  leaseMillis,
  nextFor,
  returned,
  settled,
  type Waiter,
  withTaken
} from "./Bucket.ts"
import { QuotaStore, type StoredBucket } from "./QuotaStore.ts"

/** What one instance knows of one quota of one subject. */
export class LocalBucket implements StoredBucket {
  readonly key: string
  readonly quota: Quota
  bucket = emptyBucket
  version = 0
  changedAt = -Infinity
  readonly waiting = new Set<RequestWaiter>()
  isAsking = false
  /** Ends the pause before the store is asked again. */
  readonly bell = Latch.makeUnsafe()
  /** Units that requests take without a statement. */
  lease: Grant | undefined
  /** By connection, the time until which its use is already noted, in epoch milliseconds. */
  readonly notedUntil = new Map<ConnectionId, number>()

  constructor(quota: Quota, subject: string) {
    this.key = `${quota.name} ${hash("sha256", subject, "base64url")}`
    this.quota = quota
  }
}

export interface BucketUnits {
  readonly bucket: LocalBucket
  readonly units: number
}

export interface BucketGrant extends BucketUnits, Grant {}

/** No unit can be had before `next`, in epoch milliseconds. */
export interface Exhausted {
  readonly bucket: LocalBucket
  readonly next: number
}

/** Who waits, and for how long. */
export type Waiting = Omit<Waiter, "units">

interface RequestWaiter extends Waiter {
  readonly bucket: LocalBucket
  readonly done: Deferred.Deferred<BucketGrant, Exhausted>
  grant: BucketGrant | undefined
}

const maxBuckets = 10_000

/** How long a bucket counts as known: later, another instance may have given units back. */
const freshMillis = 500

const longestRestMillis = 500

/** Takes units from the leases of this instance, or asks the shared buckets. */
export const makeGovernor = Effect.gen(function*() {
  const store = yield* QuotaStore
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const instance = randomUUID()
  const now = () => clock.currentTimeMillisUnsafe()
  const buckets = new Map<string, LocalBucket>()

  const bucketOf = (quota: Quota, subject: string): LocalBucket => {
    // The limit of a budget can change.
    const name = `${quota.name} ${quota.limit} ${subject}`
    const known = buckets.get(name)
    if (known !== undefined) return known
    if (buckets.size >= maxBuckets) {
      for (const [name, { isAsking, lease }] of buckets) if (!isAsking && lease === undefined) buckets.delete(name)
    }
    const bucket = new LocalBucket(quota, subject)
    buckets.set(name, bucket)
    return bucket
  }

  /** What is left of the lease goes back in the same statement. */
  const change = (bucket: LocalBucket, change: (before: Bucket, now: number) => Bucket): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { lease } = bucket
      bucket.lease = undefined
      return store.change({
        stored: bucket,
        change: (before) => {
          bucket.changedAt = now()
          return change(lease === undefined ? before : returned(before, lease), bucket.changedAt)
        }
      })
    })

  /** Asks until no request waits. */
  const pump = (bucket: LocalBucket): Effect.Effect<void> =>
    Effect.gen(function*() {
      while (bucket.waiting.size > 0) {
        bucket.bell.closeUnsafe()
        // A rare call takes no lease.
        const wantsLease = now() - bucket.changedAt <= leaseMillis(bucket.quota)
        const question = { instance, waiting: [...bucket.waiting], wantsLease }
        let answer: Answer<RequestWaiter> | undefined
        yield* change(bucket, (before, now) => {
          const [answered, after] = ask(before, bucket.quota, question, now)
          answer = answered
          return after
        })
        if (answer === undefined) return
        applyAnswer(bucket, answer)
        const rest = Math.min(longestRestMillis, answer.next - now())
        if (bucket.waiting.size > 0) yield* Effect.timeoutOption(bucket.bell.await, rest)
      }
      bucket.isAsking = false
    }).pipe(
      Effect.onError((cause) =>
        Effect.sync(() => {
          for (const { done } of bucket.waiting) Deferred.doneUnsafe(done, Exit.failCause(cause))
          bucket.waiting.clear()
          bucket.isAsking = false
        })
      )
    )

  const applyAnswer = (bucket: LocalBucket, { granted, lease, refused }: Answer<RequestWaiter>): void => {
    // Comes first, because requests that get units may be followed by others immediately.
    if (lease !== undefined) {
      bucket.lease = lease
      const expire = Effect.suspend(() =>
        bucket.lease && !isFresh(bucket.lease, now()) ? change(bucket, (before) => before) : Effect.void
      )
      // Waits longer than the lease lasts: usually the next change has returned it by then, in one statement.
      fork(Effect.delay(Effect.ignoreCause(expire), 2 * leaseMillis(bucket.quota)))
    }
    for (const [waiter, grant] of granted) {
      if (bucket.waiting.delete(waiter)) succeed(waiter, grant)
      else giveBack({ ...grant, bucket })
    }
    for (const [waiter, next] of refused) refuse(waiter, next)
  }

  /** Takes units of the lease, which costs no statement, or waits. */
  const enter = (waiter: RequestWaiter): void => {
    const { background, bucket, bucket: { lease, quota, waiting }, deadline, units } = waiter
    const at = now()
    if (!background && waiting.size === 0 && lease !== undefined && isFresh(lease, at) && lease.units >= units) {
      bucket.lease = { ...lease, units: lease.units - units }
      return succeed(waiter, { ...lease, units })
    }
    const isKnown = at < bucket.changedAt + freshMillis
    const next = isKnown ? nextFor(settled(bucket.bucket, quota, at), quota, waiter, at) : at
    if (next > Math.max(at, deadline)) return refuse(waiter, next)
    waiting.add(waiter)
    if (next <= at) bucket.bell.openUnsafe()
    if (bucket.isAsking) return
    bucket.isAsking = true
    fork(Effect.ignoreCause(pump(bucket)))
  }

  const giveBack = ({ bucket, ...grant }: BucketGrant): void => {
    fork(Effect.ignoreCause(change(bucket, (before) => returned(before, grant))))
    bucket.bell.openUnsafe()
  }

  /** Units that are used later than planned come back later. Units that have already come back are taken again. */
  const renew = (grants: ReadonlyArray<BucketGrant>, waiting: Waiting) =>
    Effect.forEach(grants, (each): Effect.Effect<BucketGrant, Exhausted> => {
      const { bucket, units, until } = each
      if (isFresh(each, now())) return Effect.succeed(each)
      if (until <= now()) return Effect.map(take([each], waiting), ([again = each]) => again)
      const grant = grantOf(bucket.quota, units, now())
      const move = (before: Bucket) => withTaken(returned(before, each), grant.until, units)
      return Effect.as(change(bucket, move), { ...grant, bucket })
    }, { concurrency: "unbounded" })

  /**
   * Takes units, and renews those that a request has held too long. If one bucket refuses, the units of the others are
   * given back. Units of leases are taken synchronously.
   */
  const take = (
    wanted: ReadonlyArray<BucketUnits>,
    waiting: Waiting,
    late: ReadonlyArray<BucketGrant> = []
  ): Effect.Effect<ReadonlyArray<BucketGrant>, Exhausted> => {
    const entered: Array<RequestWaiter> = []
    const start = ({ bucket, units }: BucketUnits): RequestWaiter => {
      const waiter: RequestWaiter = { ...waiting, bucket, units, done: Deferred.makeUnsafe(), grant: undefined }
      enter(waiter)
      entered.push(waiter)
      return waiter
    }
    // A unit that a request holds while it waits for another one is lost to others. So it waits for the narrowest quota
    // first, and takes no unit of a project while its account has none.
    const isScarce = wanted.some(({ bucket }) => bucket.waiting.size > 0)
    const started = isScarce ? [] : wanted.map(start)
    const ahead = started.flatMap(({ grant }) => grant ?? [])
    if (late.length === 0 && ahead.length === wanted.length) return Effect.succeed(ahead)
    const leave = Effect.sync(() => {
      for (const waiter of entered) {
        waiter.bucket.waiting.delete(waiter)
        if (waiter.grant !== undefined) giveBack(waiter.grant)
      }
    })
    return Effect.forEach(wanted, (units, index) => Deferred.await((started[index] ?? start(units)).done)).pipe(
      Effect.flatMap((grants) => renew([...late, ...grants], waiting)),
      Effect.onError(() => leave)
    )
  }

  yield* Effect.addFinalizer(() => {
    const leased = [...buckets.values()].filter(({ lease }) => lease !== undefined)
    return Effect.forEach(leased, (bucket) => change(bucket, (before) => before), { concurrency: "unbounded" })
  })

  return { bucketOf, buckets, change, giveBack, now, take }
})

const refuse = (waiter: RequestWaiter, next: number): void => {
  const { bucket, done } = waiter
  bucket.waiting.delete(waiter)
  Deferred.doneUnsafe(done, Exit.fail({ bucket, next }))
}

const succeed = (waiter: RequestWaiter, grant: Grant): void => {
  waiter.grant = { ...grant, bucket: waiter.bucket }
  Deferred.doneUnsafe(waiter.done, Exit.succeed(waiter.grant))
}

export type Governor = Effect.Success<typeof makeGovernor>
