import { type Bucket, settled, usedUnits, withTaken } from "./Bucket.ts"
import { comesBackAt, type Rules } from "./Rules.ts"

/** The provider refused a call for this quota, so nothing is left until its window ends, or for its `Retry-After`. */
export const emptied = (
  before: Bucket,
  rules: Rules,
  now: number,
  retryAfterMillis: number | undefined
): Bucket => {
  const bucket = settled(before, now)
  if (retryAfterMillis !== undefined) return blocked(bucket, now + retryAfterMillis)
  if (rules.counts === "concurrent") return blocked(bucket, now + concurrencyMillis)
  // Another application has used the difference. It may come back earlier than this window ends, but no error says when.
  const missing = (bucket.limit ?? rules.limit) - usedUnits(bucket)
  return missing <= 0 ? bucket : withTaken(bucket, comesBackAt(rules, now), missing)
}

/** Requests of other applications end about as fast as ours. */
const concurrencyMillis = 1000

const firstBlockMillis = 60_000
const longestBlockMillis = 600_000

/** The provider named no quota: a minute, doubled to ten while it repeats. */
export const blockedLonger = (before: Bucket, now: number): Bucket => {
  const bucket = settled(before, now)
  if (bucket.blockedUntil > now) return bucket
  const last = millisOf(bucket.strikes)
  const strikes = bucket.strikes > 0 && now - bucket.blockedUntil <= last ? bucket.strikes + 1 : 1
  return { ...blocked(bucket, now + millisOf(strikes)), strikes }
}

const millisOf = (strikes: number): number => Math.min(longestBlockMillis, firstBlockMillis * 2 ** (strikes - 1))

const blocked = (bucket: Bucket, until: number): Bucket => ({
  ...bucket,
  blockedUntil: Math.max(bucket.blockedUntil, until)
})

/**
 * The provider says how much is left. What is missing was used by other applications. If more is left than the limit,
 * the property has a larger one.
 */
export const corrected = (before: Bucket, rules: Rules, now: number, remaining: number): Bucket => {
  const bucket = settled(before, now)
  const used = usedUnits(bucket)
  const limit = Math.max(bucket.limit ?? rules.limit, remaining > rules.limit ? remaining + used : 0)
  const missing = limit - remaining - used
  return {
    ...withTaken(bucket, comesBackAt(rules, now), Math.max(0, missing)),
    limit: limit > rules.limit ? limit : null,
    isReported: true
  }
}
