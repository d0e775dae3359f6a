import { minOf } from "../../../Domain/Lists.ts"
import { type Bucket, resetsAt, settled, takenUnits, usedUnits, type Want, withHeld, withTaken } from "./Bucket.ts"
import { backgroundPaceOf, type Pace, paceOf } from "./Pace.ts"
import {
  aheadUnits,
  comesBackAt,
  holdMillis,
  lateMillis,
  leaseMillis,
  reservedUnits,
  type Rules,
  useMillis
} from "./Rules.ts"
import { type Demand, divide } from "./Shares.ts"

export interface Ask {
  readonly instance: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly rules: Rules
  /** What members of this instance wait for. */
  readonly wants: ReadonlyArray<Want>
  /** Members that took units of this instance since it asked last, at least the last two. */
  readonly takers: ReadonlyArray<string>
  /** Slots that this instance held and gives back. */
  readonly returned: number
}

/** Units, and the time at which they come back. They are used before `useBy`. */
export interface Lease {
  readonly units: number
  readonly until: number
  readonly useBy: number
}

export interface Figures {
  readonly limit: number
  /** Units taken, those that instances have taken ahead and those that are left to other applications included. */
  readonly used: number
  readonly resetsAt: number
  readonly isReported: boolean
}

export interface Answer extends Figures {
  readonly granted: ReadonlyMap<string, number>
  /** For background requests. */
  readonly background: ReadonlyMap<string, number>
  readonly lease: Omit<Lease, "units">
  /** Taken ahead of calls. */
  readonly ahead: Lease
  /** When the next unit can be had, if a want was not met. */
  readonly next: number
  readonly nextBackground: number
  /** Calls wait in other instances too. */
  readonly othersWait: boolean
}

/** Gives units to the members that wait in an instance, by their shares over all instances. */
export const ask = (before: Bucket, asked: Ask): readonly [Answer, Bucket] => {
  const { instance, now, wants } = asked
  const bucket = returned(settled(before, now), asked)
  const rules = { ...asked.rules, limit: (bucket.limit ?? asked.rules.limit) - bucket.foreign.units }
  const { [instance]: _, ...others } = bucket.wants
  const othersWants = Object.values(others).flatMap(({ members }) => members)
  const demands: ReadonlyArray<Demand> = [
    ...wants.map((want) => ({ ...want, units: fitting(want, rules), isOwn: true })),
    ...othersWants.map((want) => ({ ...want, isOwn: false }))
  ]
  const foreground = demands.filter(isForeground)
  const takers = [...asked.takers, ...wants.filter(isForeground).map(({ member }) => member)]
  const hasWaited = Object.values(bucket.wants).some(({ members }) => members.some(isForeground))
  const seen = withMembers({ ...bucket, waitingSince: hasWaited ? bucket.waitingSince : null }, takers, now)
  const several = seen.memberChangedAt > now - rules.window
  const pace = paceOf(seen, rules, now, several)
  const backgroundPace = backgroundPaceOf(seen, rules, now)

  const wanted = foreground.reduce((sum, { count, units }) => sum + count * units, 0)
  // Where calls have to wait, background requests take turns with them. Else they get what calls leave.
  const isScarce = wanted > pace.units
  const shares = divide(seen, isScarce ? demands : foreground, pace.units)
  const spare = isScarce
    ? { ...shares, units: 0 }
    : divide(shares, demands.filter((demand) => !isForeground(demand)), backgroundPace.units - wanted)
  const { background } = spare

  const unmet = isScarce ? shares.unmet : [...shares.unmet, ...spare.unmet]
  const taken = take(seen, shares.units + spare.units, rules, asked)
  // Background requests use none of what is taken ahead.
  const isForCalls = wants.length === 0 || foreground.length > 0
  const ahead = !isForCalls || unmet.length > 0 || othersWants.length > 0
    ? noLease
    : leaseAhead(taken.bucket, rules, now)
  const foregroundUnits = sumOf(shares.granted)
  const waits = unmet.some(isForeground) || othersWants.some(isForeground)
  const after: Bucket = {
    ...withTaken(taken.bucket, ahead.until, ahead.units),
    credit: Math.max(0, pace.credit - foregroundUnits),
    creditAt: now,
    backgroundCredit: Math.max(0, backgroundPace.credit - sumOf(background)),
    backgroundCreditAt: now,
    waitingSince: waits ? seen.waitingSince ?? now : null,
    turn: spare.turn,
    turns: spare.turns,
    wants: unmet.length === 0 ? others : { ...others, [instance]: { at: now, members: unmet } }
  }
  const nextOf = (waiting: ReadonlyArray<Want>, rules: Rules, pace: Pace) =>
    waiting.length === 0 ? now : nextUnits(after, rules, pace, minOf(waiting.map(({ units }) => units)), now)
  return [{
    ...figures(after, asked.rules, now),
    granted: shares.granted,
    background,
    lease: taken.lease,
    ahead,
    next: nextOf(unmet.filter(isForeground), rules, { ...pace, credit: after.credit }),
    nextBackground: nextOf(
      unmet.filter((want) => !isForeground(want)),
      { ...rules, limit: rules.limit - reservedUnits(rules.limit) },
      { ...backgroundPace, credit: after.backgroundCredit }
    ),
    othersWait: othersWants.length > 0
  }, after]
}

const isForeground = ({ background }: Want): boolean => background !== true

/** A request for more than the limit gets the limit. */
const fitting = ({ background, units }: Want, { limit }: Rules): number =>
  Math.min(units, Math.max(1, background === true ? limit - reservedUnits(limit) : limit))

const sumOf = (granted: ReadonlyMap<string, number>): number => granted.values().reduce((sum, units) => sum + units, 0)

const noLease: Lease = { units: 0, until: 0, useBy: 0 }

const withMembers = (bucket: Bucket, takers: ReadonlyArray<string>, now: number): Bucket => {
  const last = takers.at(-1) ?? bucket.member
  const changed = takers.some((member) => bucket.member !== null && member !== bucket.member) ||
    new Set(takers).size > 1
  return { ...bucket, member: last, memberChangedAt: changed ? now : bucket.memberChangedAt }
}

const returned = (bucket: Bucket, { instance, now, returned, rules }: Ask): Bucket =>
  returned === 0 ? bucket : withHeld(bucket, instance, now + holdMillis(rules), -returned)

const take = (bucket: Bucket, units: number, rules: Rules, { instance, now }: Ask) => {
  if (rules.counts !== "units") {
    const until = now + holdMillis(rules)
    return {
      bucket: units === 0 ? bucket : withHeld(bucket, instance, until, units),
      // The instance renews what it holds long before.
      lease: { until, useBy: now + holdMillis(rules) / 2 }
    }
  }
  const useBy = now + useMillis(rules)
  const until = comesBackAt(rules, useBy)
  return { bucket: withTaken(bucket, until, units), lease: { until, useBy } }
}

/** Only of the first half of a window: near the limit, every unit counts. */
const leaseAhead = (bucket: Bucket, rules: Rules, now: number): Lease => {
  const units = aheadUnits(rules)
  if (units === 0 || bucket.blockedUntil > now || usedUnits(bucket) + units > rules.limit / 2) return noLease
  const useBy = now + leaseMillis(rules)
  return { units, until: comesBackAt(rules, useBy), useBy }
}

/** A slot that is held comes back when its request ends. */
const pollMillis = 100

const nextUnits = (bucket: Bucket, rules: Rules, pace: Pace, units: number, now: number): number => {
  if (bucket.blockedUntil > now) return bucket.blockedUntil
  let free = rules.limit - usedUnits(bucket)
  if (free >= units) return now + (pace.isPaced ? Math.max(1, (units - pace.credit) / pace.rate) : pollMillis)
  if (Object.keys(bucket.held).length > 0 && rules.limit - takenUnits(bucket) >= units) return now + pollMillis
  for (const [until, each] of bucket.taken) {
    free += each
    if (free >= units) return until
  }
  return now + (rules.resets === undefined ? rules.window : comesBackAt(rules, now) - now)
}

const figures = (bucket: Bucket, rules: Rules, now: number): Figures => {
  const limit = bucket.limit ?? rules.limit
  const used = usedUnits(bucket) + bucket.foreign.units
  return {
    limit,
    used: bucket.blockedUntil > now ? Math.max(limit, used) : used,
    resetsAt: resetsAt(bucket, now),
    isReported: bucket.isReported
  }
}

/** As the provider counts, for whom units come back earlier. */
export const figuresOf = (bucket: Bucket, rules: Rules, now: number): Figures =>
  figures(settled(bucket, now + lateMillis(rules)), rules, now)
