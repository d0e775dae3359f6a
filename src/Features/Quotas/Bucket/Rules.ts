import { DateTime, Option } from "effect"
import type { Quota } from "../../../Providers/Quota.ts"

/** How a bucket counts. Times are milliseconds. */
export interface Rules {
  readonly counts: Quota["counts"]
  readonly limit: number
  readonly window: number
  readonly resets: string | undefined
}

export const rulesOf = ({ counts, limit, resets, windowSeconds }: Quota): Rules => ({
  counts,
  limit,
  window: windowSeconds * 1000,
  resets
})

/** Its units can be spread over the window. */
export const isShort = ({ counts, window }: Rules): boolean => counts === "units" && window <= 60_000

/** What background requests leave to others. */
export const reservedUnits = (limit: number): number => limit > 1 ? Math.ceil(limit / 10) : 0

/** A unit is used within this time after it was given to a call, or given back. A busy machine needs half a second. */
export const useMillis = ({ window }: Rules): number => Math.min(500, Math.max(250, window / 120))

/** An instance uses units that no call waits for within this time, or gives them back. */
export const leaseMillis = ({ window }: Rules): number => Math.min(30_000, Math.max(1000, window / 40))

/** A slot of an instance that died is free again after this time. Longer than a request under way. */
export const holdMillis = ({ counts, window }: Rules): number => counts === "server_errors" ? window : 120_000

/**
 * When units come back that are used until `usedBy`. In a sliding window, up to one percent of the window later, so that
 * a bucket has few different times.
 */
export const comesBackAt = ({ resets, window }: Rules, usedBy: number): number => {
  if (resets !== undefined) return nextMidnight(resets, usedBy)
  const step = Math.max(10, window / 120)
  return Math.ceil((usedBy + window) / step) * step
}

/** Units come back about this much later than at the provider, as each may be used late. */
export const lateMillis = ({ resets, window }: Rules): number => resets === undefined ? window / 60 : 0

/** Units that an instance takes ahead of calls: few, so that those of other instances know what is left. */
export const aheadUnits = ({ counts, limit, window }: Rules): number =>
  counts === "units" ? Math.round(limit * (window < 10_000 ? 0.25 : 0.01)) : 0

const nextMidnight = (zone: string, millis: number): number => {
  const day = DateTime.makeZoned(millis, { timeZone: zone })
  return Option.match(day, {
    onNone: () => millis + 86_400_000,
    onSome: (zoned) => DateTime.toEpochMillis(DateTime.add(DateTime.startOf(zoned, "day"), { days: 1 }))
  })
}
