import { type Deferred, Latch } from "effect"
import { hash } from "node:crypto"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { Quota } from "../../Providers/Quota.ts"
import type { Grant } from "./Bucket/Bucket.ts"
import { emptyQueue, type Queue, type Waiter } from "./Bucket/Queue.ts"

/** What one instance knows of one quota of one subject. */
export interface LocalBucket {
  /** In the store. */
  readonly key: string
  readonly quota: Quota
  queue: Queue<Place>
  /** Ends the rest before the next question. */
  readonly bell: Latch.Latch
  /** By connection, until when its use is noted. */
  readonly uses: Map<ConnectionId, number>
}

export interface Claim {
  readonly bucket: LocalBucket
  readonly units: number
}

/** Units that a request has. */
export interface Taken extends Claim, Grant {}

/** No unit can be had before `next`, in epoch milliseconds. */
export interface Exhausted {
  readonly bucket: LocalBucket
  readonly next: number
}

/** A request that takes units of a bucket, or waits for them. */
export interface Place extends Waiter {
  readonly bucket: LocalBucket
  readonly done: Deferred.Deferred<Taken, Exhausted>
  /** Once they are granted. */
  taken: Taken | undefined
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
