import { Clock, Deferred, Effect, Exit, FiberSet, Latch } from "effect"
import { hash, randomUUID } from "node:crypto"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Quota } from "../../Providers/Quota.ts"
import { ask, leaseMillis, type Reply } from "./Bucket/Ask.ts"
import { type Bucket, type Grant, granted, grantOf, isFresh, returned } from "./Bucket/Bucket.ts"
import {
  asked,
  emptyQueue,
  entered,
  failed,
  left,
  type Queue,
  refusedUntil,
  replied,
  takenAhead,
  type Waiter,
  withReturned
} from "./Bucket/Queue.ts"
import { QuotaStore } from "./QuotaStore.ts"

/** What one instance knows of one quota of one subject. */
export interface LocalBucket {
  /** In the store. */
  readonly key: string
  readonly quota: Quota
  queue: Queue<RequestWaiter>
  /** Ends the rest before the next question. */
  readonly bell: Latch.Latch
  /** By connection, until when its use is noted. */
  readonly uses: Map<ConnectionId, number>
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

export const makeLocalBuckets = () => {
  const all = new Map<string, LocalBucket>()

  const forgetIdle = () => {
    for (const [name, { queue: { lease, phase } }] of all) {
      if (phase._tag === "Idle" && lease === undefined) all.delete(name)
    }
  }

  const of = (quota: Quota, subject: string): LocalBucket => {
    // The limit of a budget can change.
    const name = `${quota.name} ${quota.limit} ${subject}`
    const known = all.get(name)
    if (known !== undefined) return known
    if (all.size >= maxBuckets) forgetIdle()
    const key = `${quota.name} ${hash("sha256", subject, "base64url")}`
    const bucket = { key, quota, queue: emptyQueue, bell: Latch.makeUnsafe(), uses: new Map() }
    all.set(name, bucket)
    return bucket
  }

  return { all, of }
}

/** Takes units from the leases of this instance, or asks the shared buckets. */
export const makeGovernor = Effect.gen(function*() {
  const store = yield* QuotaStore
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const instance = randomUUID()
  const now = () => clock.currentTimeMillisUnsafe()

  const change = ({ key }: LocalBucket, change: (before: Bucket, now: number) => Bucket): Effect.Effect<void> =>
    store.change({ key, change: (before) => change(before, now()) })

  const set = (bucket: LocalBucket, queue: Queue<RequestWaiter>): void => {
    const { phase } = bucket.queue
    bucket.queue = queue
    if (phase._tag === "Idle" && queue.phase._tag !== "Idle") fork(Effect.ignoreCause(pump(bucket)))
    else if (phase !== queue.phase) bucket.bell.openUnsafe()
  }

  /** Asks until the queue is idle. */
  const pump = (bucket: LocalBucket): Effect.Effect<void> =>
    Effect.gen(function*() {
      for (;;) {
        giveBackLease(bucket)
        const [question, asking] = asked(bucket.queue, { instance, rules: bucket.quota, now: now() })
        bucket.queue = asking
        let reply: Reply | undefined
        yield* change(bucket, (before, now) => {
          const [given, after] = ask(before, bucket.quota, question, now)
          reply = given
          return after
        })
        if (reply !== undefined) settle(bucket, reply)
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

  const settle = (bucket: LocalBucket, reply: Reply): void => {
    const { granted, queue, refused, unused } = replied(bucket.queue, reply, now())
    bucket.queue = queue
    for (const [waiter, grant] of granted) succeed(waiter, grant)
    for (const [{ done }, next] of refused) Deferred.doneUnsafe(done, Exit.fail({ bucket, next }))
    giveBack({ ...unused, bucket })
    // Not as soon as its time is over: until then, it goes back with a question, in one statement.
    const expire = Effect.sync(() => giveBackLease(bucket))
    if (reply.lease !== undefined) fork(Effect.delay(expire, 2 * leaseMillis(bucket.quota)))
  }

  /** Takes units of the lease, which costs no statement, or waits. */
  const enter = (waiter: RequestWaiter): void => {
    const { bucket, bucket: { queue }, done } = waiter
    const ahead = takenAhead(queue, waiter, now())
    if (ahead !== undefined) {
      bucket.queue = ahead[1]
      return succeed(waiter, ahead[0])
    }
    const next = refusedUntil(queue, waiter, now())
    if (next === undefined) set(bucket, entered(queue, waiter, now()))
    else Deferred.doneUnsafe(done, Exit.fail({ bucket, next }))
  }

  const giveBack = ({ bucket, ...grant }: BucketGrant): void => {
    if (grant.units === 0) return
    fork(Effect.ignoreCause(change(bucket, (before) => returned(before, bucket.quota, grant))))
    set(bucket, withReturned(bucket.queue, grant, now()))
  }

  /** Once its time is over. */
  const giveBackLease = (bucket: LocalBucket): void => {
    const { lease } = bucket.queue
    if (lease === undefined || isFresh(lease, now())) return
    bucket.queue = { ...bucket.queue, lease: undefined }
    giveBack({ ...lease, bucket })
  }

  const leave = (waiter: RequestWaiter): void =>
    waiter.grant === undefined
      ? set(waiter.bucket, left(waiter.bucket.queue, waiter))
      : giveBack(waiter.grant)

  /** Units that are used later than it was planned come back later. Those that have come back are taken again. */
  const renew = (grants: ReadonlyArray<BucketGrant>, waiting: Waiting) =>
    Effect.forEach(grants, (each): Effect.Effect<BucketGrant, Exhausted> => {
      const { bucket, units, until } = each
      if (isFresh(each, now())) return Effect.succeed(each)
      if (until <= now()) return Effect.map(take([each], waiting), ([again = each]) => again)
      const grant = grantOf(bucket.quota, units, now())
      const move = (before: Bucket) => granted(returned(before, bucket.quota, each), bucket.quota, grant)
      return Effect.as(change(bucket, move), { ...grant, bucket })
    }, { concurrency: "unbounded" })

  /**
   * Takes units, and renews those that a request has for too long. If one bucket refuses, what the others granted goes
   * back. Takes from leases at once, without an effect.
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
    // A unit that a request has while it waits for another one is lost to others. So it waits for the narrowest quota
    // first, and takes nothing of a project while its account has nothing.
    const isScarce = wanted.some(({ bucket }) => bucket.queue.waiting.length > 0)
    const started = isScarce ? [] : wanted.map(start)
    const ahead = started.flatMap(({ grant }) => grant ?? [])
    if (late.length === 0 && ahead.length === wanted.length) return Effect.succeed(ahead)
    return Effect.forEach(wanted, (units, index) => Deferred.await((started[index] ?? start(units)).done)).pipe(
      Effect.flatMap((grants) => renew([...late, ...grants], waiting)),
      Effect.onError(() => Effect.sync(() => entered.forEach(leave)))
    )
  }

  const giveBackAll = (buckets: Iterable<LocalBucket>): Effect.Effect<void> =>
    Effect.forEach(buckets, (bucket) => {
      const { lease } = bucket.queue
      return lease === undefined ? Effect.void : change(bucket, (before) => returned(before, bucket.quota, lease))
    }, { concurrency: "unbounded", discard: true })

  return { change, giveBack, giveBackAll, now, take }
})

const succeed = (waiter: RequestWaiter, grant: Grant): void => {
  waiter.grant = { ...grant, bucket: waiter.bucket }
  Deferred.doneUnsafe(waiter.done, Exit.succeed(waiter.grant))
}

export type Governor = Effect.Success<typeof makeGovernor>
