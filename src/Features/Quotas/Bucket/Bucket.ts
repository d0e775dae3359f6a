import { DateTime, Schema } from "effect"
import type { Quota } from "../../../Providers/Quota.ts"

/** How a bucket counts. */
export type Rules = Pick<Quota, "counts" | "limit" | "resets" | "windowSeconds">

/** Times at which units come back, and how many, in the order of time. */
const Units = Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite]))

/** Requests of one member and urgency that wait for units. */
export const Want = Schema.Struct({
  member: Schema.String,
  /** 0 is the most urgent. */
  priority: Schema.Finite,
  /** What each request takes. */
  units: Schema.Finite,
  count: Schema.Finite,
  /** Leaves a tenth of the limit to others. */
  background: Schema.optionalKey(Schema.Boolean)
})
export type Want = typeof Want.Type

/** What all instances know of one quota of one subject. Times are epoch milliseconds. */
export const Bucket = Schema.Struct({
  taken: Units,
  /** Slots of requests under way. They come back when the requests end. */
  underWay: Units,
  /** Refuses everything until then. */
  blockedUntil: Schema.Finite,
  /** Quota errors of the provider in a row that named no quota. */
  strikes: Schema.Finite,
  /** The limit, where the provider reported a larger one. */
  limit: Schema.NullOr(Schema.Finite),
  isReported: Schema.Boolean,
  /** Units that are left to other applications. */
  foreign: Schema.Struct({ units: Schema.Finite, until: Schema.Finite }),
  /** How much members have used, which fades, and when that was. */
  members: Schema.Record(Schema.String, Schema.Tuple([Schema.Finite, Schema.Finite])),
  /** Until when the pace of the quota is used up. */
  spreadUntil: Schema.Finite,
  /** By instance. */
  wants: Schema.Record(Schema.String, Schema.Struct({ at: Schema.Finite, members: Schema.Array(Want) }))
})
export type Bucket = typeof Bucket.Type

export const emptyBucket: Bucket = {
  taken: [],
  underWay: [],
  blockedUntil: 0,
  strikes: 0,
  limit: null,
  isReported: false,
  foreign: { units: 0, until: 0 },
  members: {},
  spreadUntil: 0,
  wants: {}
}

/** Units that may be used before `useBy`. They come back at `until`. */
export interface Grant {
  readonly units: number
  readonly until: number
  readonly useBy: number
}

export const isFresh = ({ useBy }: Grant, now: number): boolean => useBy > now

export const windowOf = ({ windowSeconds }: Rules): number => windowSeconds * 1000

/** Only units of a window of at most a minute are spread. */
export const isShort = ({ counts, windowSeconds }: Rules): boolean => counts === "units" && windowSeconds <= 60

/** What background requests leave to calls. */
export const reservedUnits = (limit: number): number => limit > 1 ? Math.ceil(limit / 10) : 0

/** A busy machine needs half a second to send a request. */
const useMillis = (rules: Rules): number => Math.min(500, Math.max(250, windowOf(rules) / 120))

/** Longer than a request under way. A slot of an instance that died is free again after this time. */
const slotMillis = (rules: Rules): number => rules.counts === "server_errors" ? windowOf(rules) : 120_000

/** Units to be used within `millis`. A slot is used until its request ends. */
export const grantOf = (rules: Rules, units: number, now: number, millis = useMillis(rules)): Grant =>
  rules.counts === "units"
    ? { units, until: comesBackAt(rules, now + millis), useBy: now + millis }
    : { units, until: now + slotMillis(rules), useBy: Infinity }

/**
 * When units come back that are used at the latest at `usedBy`. In a sliding window, up to one percent of the window later,
 * so that a bucket has few different times.
 */
export const comesBackAt = (rules: Rules, usedBy: number): number => {
  const { resets } = rules
  if (resets !== undefined) {
    const day = DateTime.startOf(DateTime.makeZonedUnsafe(usedBy, { timeZone: resets }), "day")
    return DateTime.toEpochMillis(DateTime.add(day, { days: 1 }))
  }
  const step = Math.max(10, windowOf(rules) / 120)
  return Math.ceil((usedBy + windowOf(rules)) / step) * step
}

/** An instance that still waits asks again within this time. */
const wantsMillis = 2000

/** Removes what has passed. */
export const settled = (bucket: Bucket, now: number): Bucket => ({
  ...bucket,
  taken: bucket.taken.filter(([until]) => until > now),
  underWay: bucket.underWay.filter(([until]) => until > now),
  foreign: bucket.foreign.until > now ? bucket.foreign : emptyBucket.foreign,
  wants: Object.fromEntries(Object.entries(bucket.wants).filter(([, { at }]) => at > now - wantsMillis))
})

export const usedUnits = ({ taken, underWay }: Pick<Bucket, "taken" | "underWay">): number =>
  [...taken, ...underWay].reduce((sum, [, units]) => sum + units, 0)

const changed = (all: Bucket["taken"], until: number, units: number): Bucket["taken"] => {
  const left = Math.max(0, (all.find(([each]) => each === until)?.[1] ?? 0) + units)
  const others = all.filter(([each]) => each !== until)
  return left === 0 ? others : [...others, [until, left] as const].toSorted(([one], [other]) => one - other)
}

export const withTaken = (bucket: Bucket, until: number, units: number): Bucket => ({
  ...bucket,
  taken: changed(bucket.taken, until, units)
})

export const granted = (bucket: Bucket, { counts }: Rules, { units, until }: Grant): Bucket =>
  counts === "units"
    ? withTaken(bucket, until, units)
    : { ...bucket, underWay: changed(bucket.underWay, until, units) }

/** Units that are not used, and slots of requests that have ended. */
export const returned = (bucket: Bucket, rules: Rules, grant: Grant): Bucket =>
  granted(bucket, rules, { ...grant, units: -grant.units })

export interface Figures {
  readonly limit: number
  /** Includes leases of instances and what is left to other applications. */
  readonly used: number
  readonly resetsAt: number
  readonly isReported: boolean
}

export const figuresOf = (bucket: Bucket, rules: Rules, now: number): Figures => {
  const limit = bucket.limit ?? rules.limit
  const used = usedUnits(bucket) + bucket.foreign.units
  return {
    limit,
    used: bucket.blockedUntil > now ? Math.max(limit, used) : used,
    resetsAt: Math.max(now, bucket.blockedUntil, bucket.taken.at(-1)?.[0] ?? 0),
    isReported: bucket.isReported
  }
}

/** The time from which the bucket equals a new one. */
export const endsAt = ({ blockedUntil, foreign, taken, underWay }: Bucket, now: number): number =>
  Math.max(now + 10_000, blockedUntil, foreign.until, taken.at(-1)?.[0] ?? 0, underWay.at(-1)?.[0] ?? 0)
