import { type Bucket, usedUnits } from "./Bucket.ts"
import { isShort, reservedUnits, type Rules } from "./Rules.ts"

/** Calls have waited for longer than this: the quota is the bottleneck, and its units are spread over the window. */
const backlogMillis = 1000

/** Fewer units are not spread while no call waits: a pace of one in many seconds helps no other call. */
const spreadFrom = 100
const spreadBacklogFrom = 5
const spreadBackgroundFrom = 20

export interface Pace {
  /** Units that may be given out now. */
  readonly units: number
  readonly isPaced: boolean
  /** Units in a millisecond. */
  readonly rate: number
  readonly credit: number
}

/**
 * How many of the free units may be given out now. Without a pace, a burst of one member would use up a window in a
 * second, and a call of another member would wait for its end.
 *
 * - One member alone may take everything immediately; of a large quota, five percent are left for others and spread.
 * - With several members, half of a large quota is for bursts and the rest is spread.
 * - After calls have waited for a second, everything is spread.
 */
export const paceOf = (bucket: Bucket, rules: Rules, now: number, several: boolean): Pace => {
  const { limit, window } = rules
  const free = bucket.blockedUntil > now ? 0 : Math.max(0, limit - usedUnits(bucket))
  const waits = bucket.waitingSince !== null && now - bucket.waitingSince >= backlogMillis
  const isSpread = isShort(rules) && (limit >= spreadFrom || waits && limit >= spreadBacklogFrom)
  const burst = waits ? 0 : Math.max(0, free - Math.floor(limit * (several ? 0.5 : 0.05)))
  if (!isSpread) return { units: free, isPaced: false, rate: Infinity, credit: 0 }
  const rate = sustainableRate(bucket, free, limit / window, now)
  const elapsed = Math.max(0, now - bucket.creditAt)
  const credit = Math.min(mostCredit(rate, 1000), elapsed > window ? 1 : bucket.credit + elapsed * rate)
  return { units: Math.min(free, Math.max(burst, Math.floor(credit))), isPaced: free > 0 && burst === 0, rate, credit }
}

/**
 * How many units background requests may get: those that are free beyond a tenth of the limit. In a window of a minute
 * they are spread, so that units come back all the time.
 */
export const backgroundPaceOf = (bucket: Bucket, rules: Rules, now: number): Pace => {
  const { limit, window } = rules
  const most = limit - reservedUnits(limit)
  const free = bucket.blockedUntil > now ? 0 : Math.max(0, most - usedUnits(bucket))
  const isSpread = isShort(rules) && limit >= spreadBackgroundFrom
  if (!isSpread) return { units: free, isPaced: false, rate: Infinity, credit: 0 }
  const rate = sustainableRate(bucket, free, most / window, now)
  const elapsed = Math.max(0, now - bucket.backgroundCreditAt)
  const credit = Math.min(mostCredit(rate, 10_000), elapsed > window ? 1 : bucket.backgroundCredit + elapsed * rate)
  return { units: Math.min(free, Math.floor(credit)), isPaced: free > 0, rate, credit }
}

/**
 * At most the units of `millis` are kept for later. Calls keep one second, so that an idle quota has no second burst.
 * Background requests keep ten, to make up for a crash: they leave a tenth of the limit to calls meanwhile. Two units are
 * kept for those that wait in another instance, until it asks.
 */
const mostCredit = (rate: number, millis: number): number => Math.max(2, rate * millis)

/** The highest constant rate at which no call ever waits for more than one unit of an earlier burst to come back. */
const sustainableRate = ({ taken }: Bucket, free: number, highest: number, now: number): number => {
  let rate = highest
  let available = free + 1
  for (const [until, units] of taken) {
    rate = Math.min(rate, available / Math.max(1, until - now))
    available += units
  }
  return rate
}
