import type { Quota } from "../../Providers/Quota.ts"
import { LocalBucket } from "./LocalBucket.ts"

const maxBuckets = 10_000

/** What one instance knows of all buckets. */
export class LocalBuckets {
  /** By name of the quota, then by subject. */
  readonly #byQuota = new Map<string, Map<string, LocalBucket>>()
  readonly #giveBack: (bucket: LocalBucket) => void
  readonly #forgotten: () => void
  #size = 0

  /** `giveBack` gets a bucket with units that is replaced. `forgotten` runs after idle buckets were forgotten. */
  constructor(giveBack: (bucket: LocalBucket) => void, forgotten: () => void) {
    this.#giveBack = giveBack
    this.#forgotten = forgotten
  }

  of(quota: Quota, subject: string): LocalBucket {
    let bySubject = this.#byQuota.get(quota.name)
    const known = bySubject?.get(subject)
    // The limit of a budget can change.
    if (known?.rules.limit === quota.limit) return known
    if (known !== undefined) this.#giveBack(known)
    else if (++this.#size > maxBuckets) this.#forgetIdle()
    if (bySubject === undefined) this.#byQuota.set(quota.name, bySubject = new Map())
    const bucket = new LocalBucket(quota, subject)
    bySubject.set(subject, bucket)
    return bucket
  }

  *all(): Generator<LocalBucket> {
    for (const bySubject of this.#byQuota.values()) yield* bySubject.values()
  }

  #forgetIdle() {
    for (const bySubject of this.#byQuota.values()) {
      for (const [subject, { isIdle }] of bySubject) {
        if (isIdle && bySubject.delete(subject)) this.#size--
      }
    }
    this.#forgotten()
  }
}
