import { type Bucket, comesBackAt, isShort, type Rules, settled, usedUnits, windowOf, withTaken } from "./Bucket.ts"

/** An error can be wrong or meant for another application, so that nobody waits for longer without a new try. */
const longestMillis = 3_600_000

/** Requests of other applications end about as fast as ours. */
const slotMillis = 1000

/**
 * The provider refused a request for this quota, so nothing is left until its window ends, or for its `Retry-After` if
 * that is shorter. At most for an hour.
 */
export const emptied = (before: Bucket, rules: Rules, now: number, retryAfterMillis: number | undefined): Bucket => {
  const bucket = settled(before, now)
  const end = Math.min(now + longestMillis, rules.counts === "concurrent" ? Infinity : comesBackAt(rules, now))
  if (retryAfterMillis !== undefined) return blocked(bucket, Math.min(end, now + retryAfterMillis))
  if (rules.counts === "concurrent") return blocked(bucket, now + slotMillis)
  // Another application has used the difference. It may come back earlier than this window ends, but no error says when.
  const missing = (bucket.limit ?? rules.limit) - usedUnits(bucket) - bucket.foreign.units
  if (missing <= 0) return bucket
  const foreign = isShort(rules) ? left(bucket.foreign.units + missing, rules, now) : bucket.foreign
  return withTaken({ ...bucket, foreign }, end, Math.max(0, missing - (foreign.units - bucket.foreign.units)))
}

/**
 * Another application probably goes on, so its units and 1.5 σ of its random arrivals are left to it for ten windows.
 * At most half of the limit, as a refusal can be an accident.
 */
const left = (used: number, rules: Rules, now: number): Bucket["foreign"] => ({
  units: Math.min(Math.floor(rules.limit / 2), Math.ceil(used + 1.5 * Math.sqrt(used))),
  until: now + 10 * windowOf(rules)
})

const firstBlockMillis = 60_000
const longestBlockMillis = 600_000

/** The provider named no quota: a minute, doubled to ten while it repeats. */
export const blockedLonger = (before: Bucket, now: number): Bucket => {
  const bucket = settled(before, now)
  if (bucket.blockedUntil > now) return bucket
  const repeats = bucket.strikes > 0 && now - bucket.blockedUntil <= millisOf(bucket.strikes)
  const strikes = repeats ? bucket.strikes + 1 : 1
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
  return {
    ...withTaken(bucket, comesBackAt(rules, now), Math.max(0, limit - remaining - used)),
    limit: limit > rules.limit ? limit : null,
    isReported: true
  }
}
