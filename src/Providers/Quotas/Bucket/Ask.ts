import { type Bucket, resetsAt, settled, takenUnits, usedUnits, type Want, withHeld, withTaken } from "./Bucket.ts"
import { type Pace, paceOf } from "./Pace.ts"
import { aheadUnits, comesBackAt, holdMillis, leaseMillis, type Rules, useMillis } from "./Rules.ts"
import { divide, type Shares } from "./Shares.ts"

export interface Ask {
  readonly instance: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly rules: Rules
  /** What members of this instance wait for. */
  readonly wants: ReadonlyArray<Want>
  /** Members that took units of this instance since it asked last, at least the last two. */
  readonly takers: ReadonlyArray<string>
}

/** Units, and the time at which they come back. They are used before `useBy`. */
export interface Lease {
  readonly units: number
  readonly until: number
  readonly useBy: number
}

export interface Figures {
  readonly limit: number
  /** Units taken, those that instances have taken ahead included. */
  readonly used: number
  readonly resetsAt: number
  readonly isReported: boolean
}

export interface Answer extends Figures {
  readonly granted: ReadonlyMap<string, number>
  readonly lease: Omit<Lease, "units">
  /** Taken ahead of calls. */
  readonly ahead: Lease
  /** When the next unit can be had, if a want was not met. */
  readonly next: number
  readonly othersWait: boolean
}

/** Gives units to the members that wait in an instance, by their shares over all instances. */
export const ask = (before: Bucket, asked: Ask): readonly [Answer, Bucket] => {
  const { instance, now, wants } = asked
  const bucket = settled(before, now)
  const rules = { ...asked.rules, limit: bucket.limit ?? asked.rules.limit }
  const { [instance]: _, ...others } = bucket.wants
  const othersWants = Object.values(others).flatMap(({ members }) => members)
  const takers = [...asked.takers, ...wants.map(({ member }) => member)]
  const seen = withMembers(
    {
      ...bucket,
      waitingSince: Object.keys(bucket.wants).length === 0 ? null : bucket.waitingSince
    },
    takers,
    now
  )
  const several = seen.memberChangedAt > now - rules.window
  const pace = paceOf(seen, rules, now, several)

  const fitting = wants.map((want) => ({ ...want, units: Math.min(want.units, Math.max(1, rules.limit)), isOwn: true }))
  const shares = divide(seen, [...fitting, ...othersWants.map((want) => ({ ...want, isOwn: false }))], pace.units)
  const unmet = wants.flatMap((want) => {
    const count = want.count - (shares.granted.get(want.member) ?? 0) / Math.min(want.units, Math.max(1, rules.limit))
    return count > 0 ? [{ ...want, count }] : []
  })
  const taken = take(seen, shares, rules, asked)
  const ahead = unmet.length > 0 || othersWants.length > 0 ? noLease : leaseAhead(taken.bucket, rules, now)
  const after: Bucket = {
    ...withTaken(taken.bucket, ahead.until, ahead.units),
    credit: Math.max(0, pace.credit - shares.units),
    creditAt: now,
    waitingSince: unmet.length === 0 && othersWants.length === 0 ? null : seen.waitingSince ?? now,
    turn: shares.turn,
    turns: shares.turns,
    wants: unmet.length === 0 ? others : { ...others, [instance]: { at: now, members: unmet } }
  }
  const smallest = Math.min(...unmet.map(({ units }) => units))
  return [{
    ...figuresOf(after, asked.rules, now),
    granted: shares.granted,
    lease: taken.lease,
    ahead,
    next: unmet.length === 0 ? now : nextUnits(after, rules, pace, smallest, now),
    othersWait: othersWants.length > 0
  }, after]
}

const noLease: Lease = { units: 0, until: 0, useBy: 0 }

const withMembers = (bucket: Bucket, takers: ReadonlyArray<string>, now: number): Bucket => {
  const last = takers.at(-1) ?? bucket.member
  const changed = takers.some((member) => bucket.member !== null && member !== bucket.member) ||
    new Set(takers).size > 1
  return { ...bucket, member: last, memberChangedAt: changed ? now : bucket.memberChangedAt }
}

const take = (bucket: Bucket, { units }: Shares, rules: Rules, { instance, now }: Ask) => {
  if (rules.counts !== "units") {
    const until = now + holdMillis(rules)
    return {
      bucket: units === 0 ? bucket : withHeld(bucket, instance, until, units),
      // The instance renews what it holds long before.
      lease: { until, useBy: now + holdMillis(rules) / 2 }
    }
  }
  const useBy = now + useMillis
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
  if (free >= units) return now + (pace.isPaced ? Math.max(1, (units - bucket.credit) / pace.rate) : pollMillis)
  if (Object.keys(bucket.held).length > 0 && rules.limit - takenUnits(bucket) >= units) return now + pollMillis
  for (const [until, each] of bucket.taken) {
    free += each
    if (free >= units) return until
  }
  return now + (rules.resets === undefined ? rules.window : comesBackAt(rules, now) - now)
}

export const figuresOf = (bucket: Bucket, { limit }: Rules, now: number): Figures => ({
  limit: bucket.limit ?? limit,
  used: bucket.blockedUntil > now ? Math.max(bucket.limit ?? limit, usedUnits(bucket)) : usedUnits(bucket),
  resetsAt: resetsAt(bucket, now),
  isReported: bucket.isReported
})
