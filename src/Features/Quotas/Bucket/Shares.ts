import { maxOf, minOf } from "../../../Domain/Lists.ts"
import type { Bucket, Want } from "./Bucket.ts"

export interface Demand extends Want {
  /** False for what another instance waits for: it takes its share itself. */
  readonly isOwn: boolean
}

export interface Shares {
  /** Units by member. */
  readonly granted: ReadonlyMap<string, number>
  /** Units by member, for background requests. */
  readonly background: ReadonlyMap<string, number>
  readonly units: number
  /** What this instance still waits for. */
  readonly unmet: ReadonlyArray<Want>
  readonly turn: number
  readonly turns: Bucket["turns"]
}

/**
 * Divides units between members by start-time fair queueing: `docs/decisions/leases-and-quotas.md`. One that asks seldom
 * goes before all that are in turn, so that it need not wait for a whole round. Within a member, the most urgent call is
 * next, then the one that has waited longest, on any instance.
 */
export const divide = (
  { turn, turns }: Pick<Bucket, "turn" | "turns">,
  demands: ReadonlyArray<Demand>,
  units: number
): Shares => {
  const ahead = new Map(Object.entries(turns))
  const ownAhead = new Map(ahead)
  const positionIn = (positions: ReadonlyMap<string, number>, { member, units }: Demand): number =>
    Math.max(turn - units, positions.get(member) ?? -Infinity)
  const left = demands.map((demand) => ({ ...demand }))
  const [granted, backgroundGranted] = [new Map<string, number>(), new Map<string, number>()]
  let rest = units
  let own = 0
  let reached = turn
  for (;;) {
    let first: typeof left[number] | undefined
    let start = Infinity
    for (const demand of left) {
      if (demand.count === 0) continue
      const position = positionIn(ahead, demand)
      if (first === undefined || position < start || position === start && isBefore(demand, first)) {
        first = demand
        start = position
      }
    }
    if (first === undefined || first.units > rest) break
    const { background, isOwn, member, units: each } = first
    const ownStart = positionIn(ownAhead, first)
    first.count--
    rest -= each
    ahead.set(member, start + each)
    if (!isOwn) continue
    own += each
    reached = Math.max(reached, start)
    ownAhead.set(member, ownStart + each)
    const to = background === true ? backgroundGranted : granted
    to.set(member, (to.get(member) ?? 0) + each)
  }
  // The turn does not pass a member that still waits, in this instance or another one.
  const next = minOf(
    left.filter(({ count, isOwn }) => !isOwn || count > 0).map((demand) => positionIn(ownAhead, demand))
  )
  const now = Number.isFinite(next) ? Math.max(turn, next) : reached
  const largest = maxOf(demands.map(({ units }) => units), 1)
  return {
    granted,
    background: backgroundGranted,
    units: own,
    unmet: left.flatMap(({ isOwn, ...want }) => isOwn && want.count > 0 ? [want] : []),
    turn: now,
    turns: Object.fromEntries([...ownAhead].filter(([, position]) => position > now - largest))
  }
}

const isBefore = (one: Want, other: Want): boolean =>
  one.member === other.member &&
  (one.priority < other.priority || one.priority === other.priority && one.since < other.since)
