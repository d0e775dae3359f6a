import { type Bucket, settled, usedUnits, withTaken } from "./Bucket.ts"
import { comesBackAt, isShort, type Rules } from "./Rules.ts"

/** An error can be wrong or meant for another application, so that nobody waits for longer without a new try. */
const longestMillis = 3_600_000

/**
 * The provider refused a call for this quota, so nothing is left until its window ends, or for its `Retry-After` if that
 * is shorter. At most for an hour.
 */
export const emptied = (
  before: Bucket,
  rules: Rules,
  now: number,
  retryAfterMillis: number | undefined
): Bucket => {
  const bucket = settled(before, now)
  const end = Math.min(now + longestMillis, rules.counts === "concurrent" ? Infinity : comesBackAt(rules, now))
  if (retryAfterMillis !== undefined) return blocked(bucket, Math.min(end, now + retryAfterMillis))
  if (rules.counts === "concurrent") return blocked(bucket, now + concurrencyMillis)
  // Another application has used the difference. It may come back earlier than this window ends, but no error says when.
  const missing = (bucket.limit ?? rules.limit) - usedUnits(bucket) - bucket.foreign.units
  if (missing <= 0) return bucket
  const foreign = isShort(rules) ? grown(bucket.foreign, rules, now, missing) : bucket.foreign
  const rest = Math.max(0, missing - (foreign.units - bucket.foreign.units))
  return withTaken({ ...bucket, foreign }, end, rest)
}

const firstForeignWindows = 10
const longestForeignMillis = 3_600_000

/**
 * Another application probably goes on, so its units are left to it for ten windows, and for longer after each further
 * refusal: `docs/decisions/leases-and-quotas.md`. It gets at most half of the limit, as a refusal can be an accident.
 */
const grown = (
  { millis, units, until }: Bucket["foreign"],
  { limit, window }: Rules,
  now: number,
  missing: number
): Bucket["foreign"] => {
  const used = units + missing
  const next = now - until > millis
    ? firstForeignWindows * window
    : until > now
    ? millis
    : Math.min(longestForeignMillis, 2 * millis)
  return {
    units: Math.min(Math.floor(limit / 2), Math.ceil(used + 1.5 * Math.sqrt(used))),
    until: now + next,
    millis: next
  }
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
