import { type Bucket, type Rules, usedUnits, windowOf } from "./Bucket.ts"

export interface Pace {
  /** Units that calls may get now, and those that calls and background requests may get. */
  readonly units: number
  readonly background: number
  /** Absent while units are not spread. */
  readonly spread: Spread | undefined
}

export interface Spread {
  /** Units in a millisecond. */
  readonly rate: number
  /** Units that may be granted now. */
  readonly credit: number
}

/** Only units of a window of at most a minute are spread. */
export const isShort = ({ counts, windowSeconds }: Rules): boolean => counts === "units" && windowSeconds <= 60

/** What background requests leave to calls. */
export const reservedUnits = (limit: number): number => limit > 1 ? Math.ceil(limit / 10) : 0

interface Demand {
  /** Calls wait. */
  readonly isScarce: boolean
  /** Several members use the quota. */
  readonly isShared: boolean
}

/**
 * How many of the free units may be granted. One member alone may take all but a twentieth at once, several may take
 * half. The rest is spread over the window, and all of it while calls wait: a rare call then need not wait until the
 * units of a burst come back. Few units are not spread unless calls wait.
 */
export const paceOf = (bucket: Bucket, rules: Rules, now: number, { isScarce, isShared }: Demand): Pace => {
  const { limit } = rules
  const free = bucket.blockedUntil > now ? 0 : Math.max(0, limit - usedUnits(bucket))
  const left = Math.max(0, free - reservedUnits(limit))
  if (!isShort(rules) || limit < 5) return { units: free, background: left, spread: undefined }
  const rate = steadyRate(bucket, rules, free, now)
  // An idle quota has no second burst. Two units are for those that wait in another instance, until it asks.
  const credit = Math.min(Math.max(2, 1000 * rate), Math.max(0, now - bucket.spreadUntil) * rate)
  const burst = isScarce ? 0 : free - (limit < 100 ? 0 : Math.floor(limit * (isShared ? 0.5 : 0.05)))
  return {
    units: Math.min(free, Math.max(burst, Math.floor(credit))),
    background: limit < 20 ? left : Math.min(left, Math.floor(credit)),
    spread: { rate, credit }
  }
}

/** The highest constant rate at which no unit has to wait for more than one of an earlier burst to come back. */
const steadyRate = ({ taken }: Bucket, rules: Rules, free: number, now: number): number => {
  let rate = rules.limit / windowOf(rules)
  let available = free + 1
  for (const [until, units] of taken) {
    rate = Math.min(rate, available / Math.max(1, until - now))
    available += units
  }
  return rate
}
