import {
  type Bucket,
  comesBackAt,
  type Figures,
  figuresOf,
  type Grant,
  granted,
  grantOf,
  returned,
  type Rules,
  settled,
  usedUnits,
  type Want,
  windowOf
} from "./Bucket.ts"
import { type Pace, paceOf, reservedUnits, type Spread } from "./Pace.ts"

export interface Question {
  readonly instance: string
  /** What this instance waits for. */
  readonly wants: ReadonlyArray<Want>
  readonly returns: ReadonlyArray<Grant>
  /** The instance takes a lease if most of the limit is left. */
  readonly wantsLease: boolean
}

export interface AnsweredWant extends Want {
  /** How many requests get their units. */
  readonly granted: number
  /** When the next one can get them. */
  readonly next: number
}

export interface Answer extends Figures {
  readonly at: number
  readonly grant: Grant
  readonly lease: Grant | undefined
  /** One for each want, in their order. */
  readonly wants: ReadonlyArray<AnsweredWant>
}

/** Grants units to the requests of an instance. Their members take turns with those of all instances. */
export const ask = (
  before: Bucket,
  declared: Rules,
  { instance, returns, wants, wantsLease }: Question,
  now: number
): readonly [Answer, Bucket] => {
  const bucket = returns.reduce((all, each) => returned(all, declared, each), settled(before, now))
  const rules = { ...declared, limit: (bucket.limit ?? declared.limit) - bucket.foreign.units }
  const { [instance]: own, ...others } = bucket.wants
  const theirs = Object.values(others).flatMap(({ members }) => members)
  const all = [...wants, ...theirs]
  const members = faded(bucket.members, rules, now)
  const pace = paceOf(bucket, rules, now, {
    isScarce: [...theirs, ...own?.members ?? []].some(isCall),
    isShared: new Set([...members.keys(), ...all.filter(isCall).map(({ member }) => member)]).size > 1
  })
  const { counts, isInTurn } = divideUnits(members, all, pace)
  const answered = wants.map((want) => ({ ...want, granted: counts.get(want) ?? 0 }))
  const unmet = answered.flatMap(({ granted, ...want }) =>
    granted < want.count ? [{ ...want, count: want.count - granted }] : []
  )
  for (const { granted, ...want } of answered) {
    if (isInTurn || isCall(want)) members.set(want.member, (members.get(want.member) ?? 0) + granted * want.units)
  }
  const grant = grantOf(rules, answered.reduce((sum, { granted, units }) => sum + granted * units, 0), now)
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
  const withNext = answered.map((want) => ({ ...want, next: nextUnits(after, rules, now, { ...want, spread }) }))
  return [{ ...figuresOf(after, declared, now), at: now, grant, lease, wants: withNext }, after]
}

/** How many requests of each want get units. Where calls have to wait, background requests take turns with them. */
const divideUnits = (members: ReadonlyMap<string, number>, all: ReadonlyArray<Want>, pace: Pace) => {
  const calls = all.filter(isCall)
  const wanted = calls.reduce((sum, { count, units }) => sum + count * units, 0)
  if (wanted > pace.units) return { counts: divide(members, all, pace.units), isInTurn: true }
  const left = divide(members, all.filter((want) => !isCall(want)), pace.background - wanted)
  return { counts: new Map([...divide(members, calls, pace.units), ...left]), isInTurn: false }
}

const isCall = ({ background }: Want): boolean => background !== true

/** What members have used fades within about a sixth of the window: from ten seconds to ten minutes. */
const faded = (members: Bucket["members"], rules: Rules, now: number): Map<string, number> => {
  const millis = Math.min(600_000, Math.max(10_000, windowOf(rules) / 6))
  const left = Object.entries(members).map(([member, [units, at]]) =>
    [member, units * Math.exp((at - now) / millis)] as const
  )
  return new Map(left.filter(([, units]) => units > 0.01))
}

/** Each unit goes to the member that has used least lately, and there to the most urgent request. */
const divide = (members: ReadonlyMap<string, number>, wants: ReadonlyArray<Want>, units: number) => {
  const used = new Map(members)
  const granted = new Map<Want, number>()
  const usedBy = ({ member }: Want): number => used.get(member) ?? 0
  const isBefore = (one: Want, other: Want): boolean =>
    usedBy(one) < usedBy(other) || usedBy(one) === usedBy(other) && one.priority < other.priority
  for (let rest = units;;) {
    let first: Want | undefined
    for (const want of wants) {
      const isOpen = (granted.get(want) ?? 0) < want.count
      if (isOpen && (first === undefined || isBefore(want, first))) first = want
    }
    if (first === undefined || first.units > rest) return granted
    rest -= first.units
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

/** Nobody knows when another instance takes its turn, or when a request under way ends. */
const pollMillis = 100

const nextUnits = (
  bucket: Bucket,
  rules: Rules,
  now: number,
  { spread, units, ...want }: Want & { readonly spread: Spread | undefined }
): number => {
  if (bucket.blockedUntil > now) return bucket.blockedUntil
  let free = rules.limit - (isCall({ units, ...want }) ? 0 : reservedUnits(rules.limit)) - usedUnits(bucket)
  if (free >= units) return now + (spread ? Math.max(1, (units - spread.credit) / spread.rate) : pollMillis)
  if (bucket.underWay.length > 0 && free + usedUnits({ ...bucket, taken: [] }) >= units) return now + pollMillis
  for (const [until, each] of bucket.taken) {
    free += each
    if (free >= units) return until
  }
  return comesBackAt(rules, now)
}
