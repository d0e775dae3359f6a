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
  readonly turn: number
  readonly turns: Bucket["turns"]
}

/**
 * Divides units between members by start-time fair queueing (Goyal, Vin, Cheng, 1996): each unit goes to the member that
 * is least ahead. A member that asks seldom is served next, and one that asks for more gets no more than the others.
 */
export const divide = (
  { turn, turns }: Pick<Bucket, "turn" | "turns">,
  demands: ReadonlyArray<Demand>,
  units: number
): Shares => {
  const ahead = new Map(Object.entries(turns))
  const ownAhead = new Map(ahead)
  const left = demands.map((demand) => ({ ...demand }))
  const [granted, backgroundGranted] = [new Map<string, number>(), new Map<string, number>()]
  let rest = units
  let own = 0
  let reached = turn
  for (;;) {
    let first: typeof left[number] | undefined
    let start = Infinity
    for (const demand of left) {
      const position = Math.max(turn, ahead.get(demand.member) ?? 0)
      if (demand.count > 0 && position < start) {
        first = demand
        start = position
      }
    }
    if (first === undefined || first.units > rest) break
    const { background, isOwn, member, units: each } = first
    left[left.indexOf(first)] = { ...first, count: first.count - 1 }
    rest -= each
    ahead.set(member, start + each)
    if (!isOwn) continue
    own += each
    reached = Math.max(reached, start)
    ownAhead.set(member, Math.max(turn, ownAhead.get(member) ?? 0) + each)
    const to = background === true ? backgroundGranted : granted
    to.set(member, (to.get(member) ?? 0) + each)
  }
  // The turn does not pass a member that still waits, in this instance or another one.
  const waiting = left.filter(({ count, isOwn }) => !isOwn || count > 0)
  const next = Math.min(...waiting.map(({ member }) => Math.max(turn, ownAhead.get(member) ?? 0)))
  const now = Number.isFinite(next) ? next : reached
  return {
    granted,
    background: backgroundGranted,
    units: own,
    turn: now,
    turns: Object.fromEntries([...ownAhead].filter(([, position]) => position > now))
  }
}
