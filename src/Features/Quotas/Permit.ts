import { Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import type { Provider, QuotaReport, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, narrowest } from "../../Providers/Quota.ts"
import type { AttemptResponse, Permit } from "../../Providers/Sending/Permit.ts"
import { isFresh, returned, windowOf, withTaken } from "./Bucket/Bucket.ts"
import { blockedLonger, corrected, emptied } from "./Bucket/Learned.ts"
import type { BucketGrant, BucketUnits, Governor, LocalBucket } from "./Governor.ts"
import { isBudget } from "./QuotaErrors.ts"

export interface Permitted {
  readonly provider: Provider
  readonly input: RawInput
  readonly grants: ReadonlyArray<BucketGrant>
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
        const isLate = grants.some((each) => !isFresh(each, governor.now()))
        return isLate ? Effect.map(permitted.take([], grants), keep) : undefined
      }
      const kept = grants.filter((each) => !isOfAttempt(each))
      return Effect.map(permitted.take(permitted.grants.filter(isOfAttempt)), (more) => keep([...kept, ...more]))
    },
    isAttempted: () => attempts > 0,
    learn: (response) => {
      const isSuccess = response.status < 300 && provider.quotaError?.(response) === undefined
      const learned = isSuccess && provider.quotaReport === undefined
        ? Effect.void
        : Effect.suspend(() => Effect.map(learn(governor, { ...permitted, grants }, response), keep))
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

/** The sandbox responds so to what it does not carry out. */
const notImplemented = 501

const unreached: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * Learns from a response: an error empties the quota that it names, a server error is counted, a report corrects the
 * figures, and a request that reached nothing gives the units of the resource back. Returns the units that the request
 * still has.
 */
const learn = Effect.fnUntraced(function* learnResponse(
  governor: Governor,
  { grants, input, provider }: Permitted,
  response: AttemptResponse
) {
  const { body, status } = response
  const error = provider.quotaError?.(response)
  if (error !== undefined) yield* empty(governor, grants, error, response)
  if (status < 300) yield* correct(governor, grants, provider.quotaReport?.(input, body) ?? [])
  const isServerError = status >= 500 && status !== notImplemented
  const isUnreached = error === undefined && unreached.has(status)
  const ended = grants.filter(({ bucket: { quota } }) =>
    isServerError
      ? quota.counts === "server_errors"
      : isUnreached && isOfResource(quota) && quota.counts === "units"
  )
  for (const each of ended) {
    const { bucket, bucket: { quota }, units } = each
    if (isServerError) {
      yield* governor.change(
        bucket,
        (before, now) => withTaken(returned(before, quota, each), now + windowOf(quota), units)
      )
    } else governor.giveBack(each)
  }
  return grants.filter((each) => !ended.includes(each))
})

type Grants = ReadonlyArray<BucketGrant>

/** An error that names no quota is of the narrowest. */
const empty = (governor: Governor, grants: Grants, error: string, { retryAfter }: AttemptResponse) => {
  const named = grants.filter(({ bucket }) => bucket.quota.named?.test(error) === true)
  const narrow = narrowest(grants.map(({ bucket }) => bucket.quota))
  return Effect.forEach(named.length > 0 ? named : grants.filter(({ bucket }) => bucket.quota === narrow), (each) => {
    const { bucket, bucket: { quota } } = each
    bucket.queue = { ...bucket.queue, lease: undefined }
    return governor.change(bucket, (before, now) => {
      const wait = retryAfterMillis(retryAfter, now)
      if (named.length === 0 && wait === undefined) return blockedLonger(before, now)
      // The provider has not counted the request.
      return emptied(quota.counts === "units" ? returned(before, quota, each) : before, quota, now, wait)
    })
  }, { discard: true })
}

const correct = (governor: Governor, grants: Grants, reports: ReadonlyArray<QuotaReport>) =>
  Effect.forEach(reports, ({ consumed, quota: name, remaining }) => {
    const found = grants.find(({ bucket }) => bucket.quota.reported === name)
    if (found === undefined) return Effect.void
    const { bucket, bucket: { queue: { lease }, quota }, until } = found
    bucket.queue = { ...bucket.queue, lease: undefined }
    return governor.change(bucket, (before, now) => {
      const unused = lease === undefined ? before : returned(before, quota, lease)
      return corrected(withTaken(returned(unused, quota, found), until, consumed), quota, now, remaining)
    })
  }, { discard: true })

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
  return Number.isNaN(millis) ? undefined : millis
}
