import type { Provider, RawInput } from "../../Providers/Provider.ts"
import { isOfResource, narrowest } from "../../Providers/Quota.ts"
import type { AttemptResponse } from "../../Providers/Sending/Permit.ts"
import {
  type Bucket,
  comesBackAt,
  isShort,
  returned,
  type Rules,
  settled,
  usedUnits,
  windowOf,
  withTaken
} from "./Bucket.ts"
import type { BucketGrant } from "./Governor.ts"

/** An error can be wrong or meant for another application, so a request is tried again after this time. */
const longestMillis = 3_600_000

/** Requests of other applications end about as fast as ours. */
const slotMillis = 1000

const blocked = (bucket: Bucket, until: number): Bucket => ({
  ...bucket,
  blockedUntil: Math.max(bucket.blockedUntil, until)
})

/** How long a limit learned from responses counts. Then the usual one is tried again. */
const limitedUntil = (rules: Rules, now: number): number => now + 10 * windowOf(rules)

/**
 * The provider refused a request for this quota, so nothing is left until its window ends, or for its `Retry-After` if
 * that is shorter. At most for an hour.
 */
export const emptied = (before: Bucket, rules: Rules, now: number, retryAfterMillis: number | undefined): Bucket => {
  const bucket = settled(before, rules, now)
  const end = Math.min(now + longestMillis, rules.counts === "concurrent" ? Infinity : comesBackAt(rules, now))
  if (retryAfterMillis !== undefined) return blocked(bucket, Math.min(end, now + retryAfterMillis))
  if (rules.counts === "concurrent") return blocked(bucket, now + slotMillis)
  const used = usedUnits(bucket)
  if (used >= bucket.limit) return bucket
  if (!isShort(rules)) return withTaken(bucket, end, bucket.limit - used)
  // Another application has used the difference and probably goes on: it keeps that and a little more. At least half of
  // the limit is left to us, as a refusal can be an accident.
  const left = Math.max(Math.ceil(rules.limit / 2), Math.floor(0.95 * used))
  const limited = { ...bucket, limit: left, limitUntil: limitedUntil(rules, now) }
  return withTaken(limited, end, Math.max(0, left - used))
}

const firstBlockMillis = 60_000
const longestBlockMillis = 600_000

/** The provider named no quota: a minute, doubled to ten while it repeats. */
export const blockedLonger = (bucket: Bucket, now: number): Bucket => {
  const { blockedUntil, blockMillis } = bucket
  if (blockedUntil > now) return bucket
  const isRepeated = now - blockedUntil <= blockMillis
  const millis = isRepeated ? Math.min(longestBlockMillis, 2 * blockMillis) : firstBlockMillis
  return { ...blocked(bucket, now + millis), blockMillis: millis }
}

/**
 * The provider says how much is left. What is missing was used by other applications. If more is left than the limit,
 * the property has a larger one.
 */
export const corrected = (before: Bucket, rules: Rules, now: number, remaining: number): Bucket => {
  const bucket = settled(before, rules, now)
  const used = usedUnits(bucket)
  const limit = Math.max(bucket.limit, remaining > rules.limit ? remaining + used : 0)
  const limitUntil = limit > rules.limit ? limitedUntil(rules, now) : 0
  const taken = withTaken(bucket, comesBackAt(rules, now), Math.max(0, limit - remaining - used))
  return { ...taken, limit, limitUntil, isReported: true }
}

/** The sandbox's status for requests that it does not carry out. */
const notImplemented = 501

const unreached: ReadonlySet<number> = new Set([401, 403, 404])

/**
 * What a response teaches of the quotas of its request: an error empties the one that it names, or else the narrowest, a
 * server error is counted, a report corrects the figures, and a request that reached nothing gives the units of the
 * resource back.
 */
export const lessonsOf = ({ error, grants, input, provider, response: { body, retryAfter, status } }: {
  readonly provider: Provider
  readonly input: RawInput
  readonly grants: ReadonlyArray<BucketGrant>
  readonly response: AttemptResponse
  /** What `quotaError` says of the response. */
  readonly error: string | undefined
}) => {
  const named = grants.filter(({ bucket }) => error !== undefined && bucket.quota.named?.test(error) === true)
  const isUnnamed = error !== undefined && named.length === 0
  const narrow = isUnnamed ? narrowest(grants.map(({ bucket }) => bucket.quota)) : undefined
  const reports = status < 300 ? provider.quotaReport?.(input, body) ?? [] : []

  return grants.flatMap((grant) => {
    const { bucket: { quota }, units, until } = grant
    const { counts } = quota
    const isEmptied = named.includes(grant) || quota === narrow
    const report = reports.find(({ quota: name }) => name === quota.reported)
    const isServerError = status >= 500 && status !== notImplemented && counts === "server_errors"
    const isUnreached = error === undefined && unreached.has(status) && counts === "units" && isOfResource(quota)
    const change = (before: Bucket, now: number): Bucket => {
      const without = returned(before, grant)
      if (report !== undefined) {
        return corrected(withTaken(without, until, report.consumed), quota, now, report.remaining)
      }
      if (isServerError) return withTaken(without, now + windowOf(quota), units)
      if (isUnreached) return without
      const wait = retryAfterMillis(retryAfter, now)
      if (isUnnamed && wait === undefined) return blockedLonger(before, now)
      // The provider has not counted the request.
      return emptied(counts === "units" ? without : before, quota, now, wait)
    }
    // The request no longer has the units that have ended.
    const isEnded = isServerError || isUnreached
    return isEmptied || report !== undefined || isEnded ? [{ grant, change, isEnded }] : []
  })
}

const retryAfterMillis = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(millis) ? undefined : millis
}
