import { Clock, Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import type { Provider, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, narrowest } from "../../Providers/Quota.ts"
import type { AttemptResponse, Permit } from "../../Providers/Sending/Permit.ts"
import { returned, windowOf, withTaken } from "./Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "./Bucket/Learned.ts"
import type { BucketGrant, BucketUnits, Governor, LocalBucket } from "./Governor.ts"
import { isBudget } from "./QuotaErrors.ts"

interface Sent {
  readonly provider: Provider
  readonly input: RawInput
  readonly grants: ReadonlyArray<BucketGrant>
}

export interface Permitted extends Sent {
  readonly waited: boolean
  /**
   * After a 2xx: remembers that the account reaches the resource, and returns the buckets that count for all callers.
   * Absent if that was noted within the hour.
   */
  readonly reached: Effect.Effect<ReadonlyArray<LocalBucket>> | undefined
  /** Takes units, and renews those that the request has. */
  readonly take: (
    units: ReadonlyArray<BucketUnits>,
    late?: ReadonlyArray<BucketGrant>
  ) => Effect.Effect<ReadonlyArray<BucketGrant>, RateLimited>
}

export const makePermit = (governor: Governor, permitted: Permitted): Permit => {
  const { provider, reached } = permitted
  let { grants } = permitted
  let attempts = 0
  let isEnded = false
  const keep = (all: ReadonlyArray<BucketGrant>): void => {
    grants = all
  }

  return {
    waited: permitted.waited,
    attempt: () => {
      if (attempts++ === 0) {
        // Getting a new access token may have taken long.
        return grants.every(governor.isFresh) ? undefined : Effect.map(permitted.take([], grants), keep)
      }
      const kept = grants.filter((each) => !isOfAttempt(each))
      return Effect.map(permitted.take(permitted.grants.filter(isOfAttempt)), (more) => keep([...kept, ...more]))
    },
    isAttempted: () => attempts > 0,
    learn: (answer) => {
      const isSuccess = answer.status < 300 && provider.quotaError?.(answer) === undefined
      const learned = isSuccess && provider.quotaReport === undefined
        ? Effect.void
        : Effect.suspend(() => Effect.map(learn(governor, { ...permitted, grants }, answer), keep))
      if (!isSuccess || reached === undefined) return learned
      const counted = Effect.flatMap(reached, (shared) => Effect.map(countForAll(governor, grants, shared), keep))
      return Effect.andThen(counted, learned)
    },
    end: (wasSent) => {
      if (isEnded) return
      isEnded = true
      for (const each of grants) {
        if (each.bucket.quota.counts !== "units" || !wasSent && attempts <= 1) governor.giveBack(each)
      }
    }
  }
}

/** A slot is for all attempts, and a budget counts calls. */
const isOfAttempt = ({ bucket: { quota } }: BucketUnits): boolean => quota.counts === "units" && !isBudget(quota)

/** The sandbox answers so what it does not carry out. */
const notImplemented = 501

const unreached: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Learns from an answer: an error empties the quota that it names, a server error is counted, a report corrects the
 * figures, and a request that reached nothing gives the units of the resource back. Returns the units that the request
 * still has.
 */
const learn = Effect.fnUntraced(function* learnAnswer(governor: Governor, sent: Sent, answer: AttemptResponse) {
  const error = sent.provider.quotaError?.(answer)
  if (error !== undefined) yield* empty(governor, sent, answer, error)
  if (answer.status < 300) yield* correct(governor, sent, answer)
  const isServerError = answer.status >= 500 && answer.status !== notImplemented
  const ended = sent.grants.filter(({ bucket: { quota } }) =>
    isServerError
      ? quota.counts === "server_errors"
      : error === undefined && unreached.has(answer.status) && isOfResource(quota) && quota.counts === "units"
  )
  for (const each of ended) {
    const { bucket, bucket: { quota }, units } = each
    if (!isServerError) governor.giveBack(each)
    else {
      yield* governor.change(
        bucket,
        (before, now) => withTaken(returned(before, quota, each), now + windowOf(quota), units)
      )
    }
  }
  return sent.grants.filter((each) => !ended.includes(each))
})

/** An error that names no quota is of the narrowest. */
const empty = Effect.fnUntraced(
  function*(governor: Governor, { grants }: Sent, answer: AttemptResponse, error: string) {
    const named = grants.filter(({ bucket }) => bucket.quota.named?.test(error) === true)
    const narrow = narrowest(grants.map(({ bucket }) => bucket.quota))
    const retryAfter = retryAfterMillis(answer.retryAfter, yield* Clock.currentTimeMillis)
    for (const each of named.length > 0 ? named : grants.filter(({ bucket }) => bucket.quota === narrow)) {
      const { bucket, bucket: { quota } } = each
      yield* governor.change(bucket, (before, now) => {
        if (named.length === 0 && retryAfter === undefined) return blockedLonger(before, now)
        // The provider has not counted the request.
        const without = quota.counts === "units" ? returned(before, quota, each) : before
        return emptied(without, quota, now, retryAfter)
      })
      bucket.queue = { ...bucket.queue, lease: undefined }
    }
  }
)

const correct = Effect.fnUntraced(
  function*(governor: Governor, { grants, input, provider }: Sent, answer: AttemptResponse) {
    for (const { consumed, quota: name, remaining } of provider.quotaReport?.(input, answer.body) ?? []) {
      const found = grants.find(({ bucket }) => bucket.quota.reported === name)
      if (found === undefined) continue
      const { bucket, bucket: { queue: { lease }, quota: rules }, until } = found
      bucket.queue = { ...bucket.queue, lease: undefined }
      yield* governor.change(bucket, (before, now) => {
        const unused = lease === undefined ? before : returned(before, rules, lease)
        return corrected(withTaken(returned(unused, rules, found), until, consumed), rules, now, remaining)
      })
    }
  }
)

/** Moves units to the buckets that count for all callers. */
const countForAll = (governor: Governor, grants: ReadonlyArray<BucketGrant>, shared: ReadonlyArray<LocalBucket>) =>
  Effect.forEach(grants, (each): Effect.Effect<BucketGrant> => {
    const { bucket: own, units, until } = each
    // The request has ended, so it has no slot.
    const bucket = own.quota.counts === "units" ? shared.find(({ quota }) => quota === own.quota) : undefined
    if (bucket === undefined || bucket === own) return Effect.succeed(each)
    governor.giveBack(each)
    return Effect.as(governor.change(bucket, (before) => withTaken(before, until, units)), { ...each, bucket })
  })

const retryAfterMillis = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(millis) ? undefined : Math.max(0, millis)
}
