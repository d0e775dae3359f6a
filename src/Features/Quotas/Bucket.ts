import { DateTime, Schema } from "effect"
import { maxOf, minOf } from "../../Domain/Lists.ts"
import type { Quota } from "../../Providers/Quota.ts"

/** How a bucket counts. */
export type Rules = Pick<Quota, "counts" | "limit" | "resets" | "windowSeconds">

/** A request that waits for units. */
const Want = Schema.Struct({
  member: Schema.String,
  /** 0 is the most urgent. */
  priority: Schema.Finite,
  units: Schema.Finite,
  /** Leaves a tenth of the limit to others. */
  background: Schema.Boolean
})
export type Want = typeof Want.Type

/** What all instances know of one quota of one subject. Times are epoch milliseconds. */
export const Bucket = Schema.Struct({
  /** Times at which units come back, and how many, in the order of time. */
  taken: Schema.Array(Schema.Tuple([Schema.Finite, Schema.Finite])),
  /** Refuses everything until this time. */
  blockedUntil: Schema.Finite,
  /** How long the last quota error that named no quota blocked, in milliseconds. */
  blockMillis: Schema.Finite,
  /** The limit that responses of the provider show, until `limitUntil`. */
  limit: Schema.Finite,
  limitUntil: Schema.Finite,
  isReported: Schema.Boolean,
  /** The turn in which a member gets its next unit, and that of the last unit. */
  turns: Schema.Record(Schema.String, Schema.Finite),
  turn: Schema.Finite,
  /** The time until which the pace of the quota is used up. */
  spreadUntil: Schema.Finite,
  /** Waiting requests by instance. */
  wants: Schema.Record(Schema.String, Schema.Struct({ at: Schema.Finite, members: Schema.Array(Want) }))
})
export type Bucket = typeof Bucket.Type

export const emptyBucket: Bucket = {
  taken: [],
  blockedUntil: 0,
  blockMillis: 0,
  limit: 0,
  limitUntil: 0,
  isReported: false,
  turns: {},
  turn: 0,
  spreadUntil: 0,
  wants: {}
}

/** An instance that still waits asks again within this time. */
const wantsMillis = 2000

/** Removes what has passed. */
export const settled = (bucket: Bucket, { limit }: Rules, now: number): Bucket => ({
  ...bucket,
  taken: bucket.taken.filter(([until]) => until > now),
  limit: bucket.limitUntil > now ? bucket.limit : limit,
  wants: Object.fromEntries(Object.entries(bucket.wants).filter(([, { at }]) => at > now - wantsMillis))
})

/** The time from which the bucket equals a new one. */
export const endsAt = ({ blockedUntil, limitUntil, taken }: Bucket, now: number): number =>
  Math.max(now + 10_000, blockedUntil, limitUntil, taken.at(-1)?.[0] ?? 0)

/** Units that may be used before `useBy`. They come back at `until`. */
export interface Grant {
  readonly units: number
  readonly until: number
  readonly useBy: number
}

export const isFresh = ({ useBy }: Grant, now: number): boolean => useBy > now

export const windowOf = ({ windowSeconds }: Rules): number => windowSeconds * 1000

/** A busy machine needs half a second to send a request. */
const useMillis = (rules: Rules): number => Math.min(500, Math.max(250, windowOf(rules) / 120))

/** Longer than a request under way. A slot of an instance that died is free again after this time. */
const slotMillis = 120_000

/** Units to be used within `millis`. A slot is used until its request ends. */
export const grantOf = (rules: Rules, units: number, now: number, millis = useMillis(rules)): Grant =>
  rules.counts === "units"
    ? { units, until: comesBackAt(rules, now + millis), useBy: now + millis }
    : { units, until: now + slotMillis, useBy: Infinity }

/**
 * When units that are used by the time `usedBy` come back. In a sliding window, up to one percent of the window later,
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

export const usedUnits = ({ taken }: Pick<Bucket, "taken">): number => taken.reduce((sum, [, units]) => sum + units, 0)

export const withTaken = (bucket: Bucket, until: number, units: number): Bucket => {
  const left = Math.max(0, (bucket.taken.find(([each]) => each === until)?.[1] ?? 0) + units)
  const others = bucket.taken.filter(([each]) => each !== until)
  const taken = left === 0 ? others : [...others, [until, left] as const].toSorted(([one], [other]) => one - other)
  return { ...bucket, taken }
}

/** Gives back unused units, and slots of requests that have ended. */
export const returned = (bucket: Bucket, { units, until }: Grant): Bucket => withTaken(bucket, until, -units)

/** What all instances have used and what is left to other applications, without the lease of this instance. */
export const figuresOf = (bucket: Bucket, rules: Rules, lease: Grant | undefined, now: number) => {
  const { blockedUntil, isReported, limitUntil } = bucket
  const ours = limitUntil > now ? bucket.limit : rules.limit
  const taken = bucket.taken.filter(([until]) => until > now)
  const limit = Math.max(ours, rules.limit)
  const used = limit - ours + (blockedUntil > now ? ours : Math.max(0, usedUnits({ taken }) - (lease?.units ?? 0)))
  const resetsAt = Math.max(now, blockedUntil, taken.at(-1)?.[0] ?? 0)
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt, isReported }
}

/** A request that waits until its deadline, in epoch milliseconds. */
export interface Waiter extends Want {
  readonly deadline: number
}

/**
 * Grants units to the requests of an instance that wait. Their members take turns with those of all instances. The
 * instance can take a lease while most of the limit is left.
 */
export const ask = <W extends Waiter>(
  before: Bucket,
  rules: Rules,
  { instance, waiting, wantsLease }: {
    readonly instance: string
    readonly waiting: ReadonlyArray<W>
    readonly wantsLease: boolean
  },
  now: number
) => {
  const bucket = settled(before, rules, now)
  const { [instance]: _, ...others } = bucket.wants
  const theirs = Object.values(others).flatMap(({ members }) => members)
  const pace = paceOf(bucket, rules, now)
  const queue = inTurns(bucket, [...waiting, ...theirs])
  const calls = unitsOf(queue.map(([want]) => want).filter(isCall))
  // Background requests get units that calls leave and that are not reserved. If calls have to wait, all take turns.
  const isInTurn = calls > pace.units
  const unreserved = Math.min(pace.units, bucket.limit - usedUnits(bucket) - reservedUnits(bucket.limit)) - calls
  const met = divide(queue, pace.units, isInTurn ? pace.units : unreserved)
  const granted = waiting.filter((each) => met.has(each))
  const grant = grantOf(rules, unitsOf(granted), now)
  const isPlenty = wantsLease && granted.length === waiting.length && theirs.length === 0
  const lease = isPlenty ? leaseOf(bucket, rules, grant.units, now) : undefined
  const taken = withTaken(bucket, grant.until, grant.units)
  const after: Bucket = {
    ...lease === undefined ? taken : withTaken(taken, lease.until, lease.units),
    ...turnsAfter(bucket, granted.flatMap((each) => isInTurn || isCall(each) ? [[each, met.get(each) ?? 0]] : [])),
    spreadUntil: grant.units === 0 ? bucket.spreadUntil : now - Math.max(0, pace.credit - grant.units) / pace.rate
  }
  const unmet = waiting.filter((each) => !met.has(each)).map((each) =>
    [each, Math.max(now + pollMillis, nextFor(after, rules, each, now))] as const
  )
  const patient = new Map<Want, number>(unmet.filter(([{ deadline }, next]) => next <= deadline))
  const members = queue.flatMap(([want]) => {
    const { background, member, priority, units } = want
    return patient.has(want) ? [{ background, member, priority, units }] : []
  }).slice(0, mostWants)
  const answer = {
    granted: granted.map((each) => [each, { ...grant, units: each.units }] as const),
    /** The requests whose deadline is too early, and when they could get their units. */
    refused: unmet.filter(([each]) => !patient.has(each)),
    lease,
    /** When the first of the others can get units. */
    next: minOf(patient.values())
  }
  const wants = members.length === 0 ? others : { ...others, [instance]: { at: now, members } }
  return [answer, { ...after, wants }] as const
}

export type Answer<W extends Waiter> = ReturnType<typeof ask<W>>[0]

/** The most waiting requests that other instances leave units to, those with the next turns. They ask again soon. */
const mostWants = 50

/** Members that got units within this many turns count as sharing the quota. */
const sharedTurns = 10

type InTurn = ReadonlyArray<readonly [Want, number]>

const isCall = ({ background }: Want): boolean => !background

const unitsOf = (wants: ReadonlyArray<Want>): number => wants.reduce((sum, { units }) => sum + units, 0)

/** In each turn, each member gets one unit, for its most urgent request. A member that asks seldom is a turn ahead. */
const inTurns = ({ turn, turns }: Bucket, wants: ReadonlyArray<Want>): InTurn => {
  const next = new Map(Object.entries(turns))
  return wants.toSorted((one, other) => one.priority - other.priority).map((want) => {
    const own = Math.max(turn - 1, next.get(want.member) ?? 0)
    next.set(want.member, own + want.units)
    return [want, own] as const
  }).toSorted(([, one], [, other]) => one - other)
}

/** What background requests leave to calls. */
export const reservedUnits = (limit: number): number => limit > 1 ? Math.ceil(limit / 10) : 0

/** Which requests get units, and in which turn. */
const divide = (queue: InTurn, units: number, unitsInBackground: number): ReadonlyMap<Want, number> => {
  const met = new Map<Want, number>()
  let [free, freeInBackground] = [units, unitsInBackground]
  for (const [want, turn] of queue) {
    if (want.background && want.units > freeInBackground) continue
    if (want.units > free) break
    free -= want.units
    if (want.background) freeInBackground -= want.units
    met.set(want, turn)
  }
  return met
}

const turnsAfter = (bucket: Bucket, granted: InTurn) => {
  const turn = maxOf(granted.map(([, turn]) => turn), bucket.turn)
  const turns = new Map(Object.entries(bucket.turns))
  for (const [{ member, units }, own] of granted) turns.set(member, Math.max(turns.get(member) ?? 0, own + units))
  return { turn, turns: Object.fromEntries([...turns].filter(([, next]) => next > turn - sharedTurns)) }
}

/** An instance uses a lease within this time, or returns it. */
export const leaseMillis = (rules: Rules): number => Math.min(30_000, Math.max(1000, windowOf(rules) / 40))

/** A small part of the limit, so that other instances know what is left. None when half of the limit is used. */
const leaseOf = (bucket: Bucket, rules: Rules, units: number, now: number): Grant | undefined => {
  const isOfUnits = rules.counts === "units"
  const lease = isOfUnits ? Math.round(bucket.limit * (rules.windowSeconds < 10 ? 0.25 : 0.01)) : 0
  const isEarly = usedUnits(bucket) + units + lease <= bucket.limit / 2
  return lease > 0 && isEarly ? grantOf(rules, lease, now, leaseMillis(rules)) : undefined
}

/** Nobody knows when another instance takes its turn, or when a request under way ends. */
const pollMillis = 100

/** When a request can get its units at the earliest: now, if they are there. */
export const nextFor = (bucket: Bucket, rules: Rules, { background, units }: Want, now: number): number => {
  const { blockedUntil, limit, taken } = bucket
  if (blockedUntil > now) return blockedUntil
  let free = limit - usedUnits(bucket) - (background ? reservedUnits(limit) : 0)
  const pace = paceOf(bucket, rules, now)
  if (free >= units) return pace.units >= units ? now : now + (units - pace.credit) / pace.rate
  for (const [until, each] of taken) {
    free += each
    if (free >= units) return rules.counts === "units" || until > now + slotMillis ? until : now + pollMillis
  }
  return comesBackAt(rules, now)
}

/** Only units of a window of at most a minute are spread. */
export const isShort = ({ counts, windowSeconds }: Rules): boolean => counts === "units" && windowSeconds <= 60

/**
 * How many of the free units may be granted. In one burst, a single member may take all but a twentieth, several may
 * take half. The rest is spread over the window, and all of it while calls wait: a rare call then need not wait until
 * the units of a burst come back. A small limit is not spread unless calls wait. `credit` is what may be granted of a
 * spread quota, and `rate` is in units a millisecond.
 */
const paceOf = (bucket: Bucket, rules: Rules, now: number) => {
  const { limit } = bucket
  const free = bucket.blockedUntil > now ? 0 : Math.max(0, limit - usedUnits(bucket))
  if (!isShort(rules) || limit < 5) return { units: free, rate: Infinity, credit: free }
  const isScarce = Object.values(bucket.wants).some(({ members }) => members.some(isCall))
  const isShared = Object.keys(bucket.turns).length > 1
  // The highest constant rate at which no unit has to wait for more than one of an earlier burst to come back.
  let rate = limit / windowOf(rules)
  let available = free + 1
  for (const [until, units] of bucket.taken) {
    rate = Math.min(rate, available / Math.max(1, until - now))
    available += units
  }
  // An idle quota has no second burst. Two units are for those that wait in another instance, until it asks.
  const credit = Math.min(Math.max(2, 1000 * rate), (now - bucket.spreadUntil) * rate)
  const burst = isScarce ? 0 : free - (limit < 100 ? 0 : Math.floor(limit * (isShared ? 0.5 : 0.05)))
  return { units: Math.min(free, Math.max(burst, Math.floor(credit))), rate, credit }
}
