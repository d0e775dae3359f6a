import {
  type Bucket,
  comesBackAt,
  type Figures,
  figuresOf,
  type Grant,
  granted,
  grantOf,
  isShort,
  reservedUnits,
  type Rules,
  settled,
  usedUnits,
  type Want,
  windowOf
} from "./Bucket.ts"

export interface Question {
  readonly instance: string
  /** What this instance waits for. */
  readonly wants: ReadonlyArray<Want>
  /** The instance takes a lease if most of the limit is left. */
  readonly wantsLease: boolean
}

export interface GrantedWant extends Want {
  /** How many requests get their units. */
  readonly granted: number
  /** When the next one can get them. */
  readonly next: number
}

export interface Reply extends Figures {
  readonly at: number
  readonly grant: Grant
  readonly lease: Grant | undefined
  /** One for each want, in their order. */
  readonly wants: ReadonlyArray<GrantedWant>
}

/** Grants units to the requests of an instance. Their members take turns with those of all instances. */
export const ask = (
  before: Bucket,
  declared: Rules,
  { instance, wants, wantsLease }: Question,
  now: number
): readonly [Reply, Bucket] => {
  const bucket = settled(before, now)
  const rules = { ...declared, limit: (bucket.limit ?? declared.limit) - bucket.foreign.units }
  const { [instance]: own, ...others } = bucket.wants
  const theirs = Object.values(others).flatMap(({ members }) => members)
  const all = [...wants, ...theirs]
  const members = faded(bucket.members, rules, now)
  const pace = paceOf(bucket, rules, now, {
    isScarce: [...theirs, ...own?.members ?? []].some(isCall),
    isShared: new Set([...members.keys(), ...all.filter(isCall).map(({ member }) => member)]).size > 1
  })
  const isInTurn = unitsOf(all.filter(isCall)) > pace.units
  const counts = divide(members, all, pace, isInTurn)
  const met = wants.map((want) => ({ ...want, granted: counts.get(want) ?? 0 }))
  const unmet = met.flatMap(({ granted, ...want }) =>
    granted < want.count ? [{ ...want, count: want.count - granted }] : []
  )
  for (const { granted, ...want } of met) {
    if (isInTurn || isCall(want)) members.set(want.member, (members.get(want.member) ?? 0) + granted * want.units)
  }
  const grant = grantOf(rules, unitsOf(met.map(({ granted, units }) => ({ count: granted, units }))), now)
  const mayLease = wantsLease && unmet.length === 0 && theirs.length === 0 && pace.units > 0
  const lease = mayLease ? leaseOf(bucket, rules, grant.units, now) : undefined
  const taken = granted(bucket, rules, grant)
  const spread = pace.spread && { ...pace.spread, credit: Math.max(0, pace.spread.credit - grant.units) }
  const after: Bucket = {
    ...lease === undefined ? taken : granted(taken, rules, lease),
    spreadUntil: spread === undefined || grant.units === 0 ? bucket.spreadUntil : now - spread.credit / spread.rate,
    members: Object.fromEntries([...members].map(([member, units]) => [member, [units, now] as const])),
    wants: unmet.length === 0 ? others : { ...others, [instance]: { at: now, members: unmet } }
  }
  const withNext = met.map((want) => ({ ...want, next: nextUnits(after, rules, now, want, spread) }))
  return [{ ...figuresOf(after, declared, now), at: now, grant, lease, wants: withNext }, after]
}

const isCall = ({ background }: Want): boolean => background !== true

const unitsOf = (wants: ReadonlyArray<Pick<Want, "count" | "units">>): number =>
  wants.reduce((sum, { count, units }) => sum + count * units, 0)

/** What members have used fades within about a sixth of the window: from ten seconds to ten minutes. */
const faded = (members: Bucket["members"], rules: Rules, now: number): Map<string, number> => {
  const millis = Math.min(600_000, Math.max(10_000, windowOf(rules) / 6))
  const left = Object.entries(members).map(([member, [units, at]]) =>
    [member, units * Math.exp((at - now) / millis)] as const
  )
  return new Map(left.filter(([, units]) => units > 0.01))
}

/**
 * How many requests of each want get units. Each unit goes to the member that has used least lately, and there to the
 * most urgent request. Background requests get what calls leave. Where calls have to wait, they take turns with them.
 */
const divide = (members: ReadonlyMap<string, number>, wants: ReadonlyArray<Want>, pace: Pace, isInTurn: boolean) => {
  const used = new Map(members)
  const granted = new Map<Want, number>()
  const usedBy = ({ member }: Want): number => used.get(member) ?? 0
  const isBefore = (one: Want, other: Want): boolean =>
    usedBy(one) < usedBy(other) || usedBy(one) === usedBy(other) && one.priority < other.priority
  let rest = pace.units
  let background = isInTurn ? rest : pace.background - unitsOf(wants.filter(isCall))
  for (;;) {
    let first: Want | undefined
    for (const want of wants) {
      const isOpen = (granted.get(want) ?? 0) < want.count && (isCall(want) || want.units <= background)
      if (isOpen && (first === undefined || isBefore(want, first))) first = want
    }
    if (first === undefined || first.units > rest) return granted
    rest -= first.units
    if (!isCall(first)) background -= first.units
    granted.set(first, (granted.get(first) ?? 0) + 1)
    used.set(first.member, usedBy(first) + first.units)
  }
}

/** An instance uses a lease within this time, or returns it. */
export const leaseMillis = (rules: Rules): number => Math.min(30_000, Math.max(1000, windowOf(rules) / 40))

/** One percent of the limit, so that other instances know what is left. Only of the first half of a window. */
const leaseOf = (bucket: Bucket, rules: Rules, units: number, now: number): Grant | undefined => {
  const { counts, limit, windowSeconds } = rules
  const lease = counts === "units" ? Math.round(limit * (windowSeconds < 10 ? 0.25 : 0.01)) : 0
  return lease === 0 || usedUnits(bucket) + units + lease > limit / 2
    ? undefined
    : grantOf(rules, lease, now, leaseMillis(rules))
}

interface Pace {
  /** Units that calls may get now, and those that calls and background requests may get. */
  readonly units: number
  readonly background: number
  /** Absent while units are not spread. Units in a millisecond, and those that may be granted now. */
  readonly spread: { readonly rate: number; readonly credit: number } | undefined
}

/**
 * How many of the free units may be granted. One member alone may take all but a twentieth at once, several may take
 * half. The rest is spread over the window, and all of it while calls wait: a rare call then need not wait until the
 * units of a burst come back. Few units are not spread unless calls wait.
 */
const paceOf = (
  bucket: Bucket,
  rules: Rules,
  now: number,
  { isScarce, isShared }: { readonly isScarce: boolean; readonly isShared: boolean }
): Pace => {
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

/** Nobody knows when another instance takes its turn, or when a request under way ends. */
const pollMillis = 100

const nextUnits = (bucket: Bucket, rules: Rules, now: number, want: Want, spread: Pace["spread"]): number => {
  if (bucket.blockedUntil > now) return bucket.blockedUntil
  const { units } = want
  let free = rules.limit - (isCall(want) ? 0 : reservedUnits(rules.limit)) - usedUnits(bucket)
  if (free >= units) return now + (spread ? Math.max(1, (units - spread.credit) / spread.rate) : pollMillis)
  if (bucket.underWay.length > 0 && free + usedUnits({ ...bucket, taken: [] }) >= units) return now + pollMillis
  for (const [until, each] of bucket.taken) {
    free += each
    if (free >= units) return until
  }
  return comesBackAt(rules, now)
}
