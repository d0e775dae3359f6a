import { minOf } from "../../../Domain/Lists.ts"
import { type GrantedWant, leaseMillis, type Question, type Reply } from "./Ask.ts"
import { type Grant, isFresh, type Rules, type Want } from "./Bucket.ts"

/** A request that waits. */
export interface Waiter extends Omit<Want, "count"> {
  /** Epoch milliseconds. */
  readonly deadline: number
}

type Phase = { readonly _tag: "Idle" } | {
  readonly _tag: "Asking"
  /** Units have gone back meanwhile. */
  readonly isOutdated?: true
} | {
  readonly _tag: "Resting"
  /** When it asks next. */
  readonly until: number
}

/** What one instance knows of a bucket. */
export interface Queue<W extends Waiter> {
  readonly phase: Phase
  readonly waiting: ReadonlyArray<W>
  readonly lease: Grant | undefined
  readonly reply: Reply | undefined
}

export const emptyQueue: Queue<never> = {
  phase: { _tag: "Idle" },
  waiting: [],
  lease: undefined,
  reply: undefined
}

/** Takes units of the lease. `undefined` if it has too few, or if others wait. */
export const takenAhead = <W extends Waiter>(
  queue: Queue<W>,
  { background, units }: Waiter,
  now: number
): readonly [Grant, Queue<W>] | undefined => {
  const { lease, waiting } = queue
  if (background === true || waiting.length > 0 || lease === undefined) return undefined
  if (!isFresh(lease, now) || lease.units < units) return undefined
  return [{ ...lease, units }, { ...queue, lease: { ...lease, units: lease.units - units } }]
}

/** Asks now, unless other instances know of such a request. */
export const entered = <W extends Waiter>(queue: Queue<W>, waiter: W, now: number): Queue<W> => {
  const { phase, waiting } = queue
  const isKnown = phase._tag === "Asking" || phase._tag === "Resting" && unmetOf(queue, waiter) !== undefined
  return { ...queue, phase: isKnown ? phase : { _tag: "Resting", until: now }, waiting: [...waiting, waiter] }
}

export const left = <W extends Waiter>(queue: Queue<W>, waiter: W): Queue<W> => ({
  ...queue,
  waiting: queue.waiting.filter((each) => each !== waiter)
})

/** Units have gone back: what waits asks for them now, or again after the question that is under way. */
export const withReturned = <W extends Waiter>(queue: Queue<W>, { units }: Grant, now: number): Queue<W> => {
  const { phase, reply } = queue
  const phases = {
    Idle: phase,
    Asking: { _tag: "Asking", isOutdated: true },
    Resting: { _tag: "Resting", until: now }
  } as const
  return { ...queue, phase: phases[phase._tag], reply: reply && { ...reply, used: reply.used - units, wants: [] } }
}

/** A reply stands for requests that come within this time. */
const freshMillis = 500

/** When the next unit can be had, for a request that cannot wait until then. */
export const refusedUntil = (queue: Queue<Waiter>, waiter: Waiter, now: number): number | undefined => {
  const { next = 0 } = now < (queue.reply?.at ?? 0) + freshMillis ? unmetOf(queue, waiter) ?? {} : {}
  return next > waiter.deadline ? next : undefined
}

/** Requests of one kind are asked for together. */
const kindOf = ({ background = false, member, priority, units }: Omit<Want, "count">): string =>
  `${background} ${priority} ${units} ${member}`

const isUnmet = ({ count, granted }: GrantedWant): boolean => granted < count

/** Such requests in the last reply, if some got nothing. Then other instances know of them. */
const unmetOf = ({ reply }: Queue<Waiter>, waiter: Waiter): GrantedWant | undefined => {
  const kind = kindOf(waiter)
  return reply?.wants.find((want) => isUnmet(want) && kindOf(want) === kind)
}

export const asked = <W extends Waiter>(
  queue: Queue<W>,
  { instance, now, rules }: { readonly instance: string; readonly rules: Rules; readonly now: number }
): readonly [Question, Queue<W>] => {
  const kinds = [...Map.groupBy(queue.waiting, kindOf).values()]
  const wants = kinds.flatMap(([first, ...more]): ReadonlyArray<Want> => {
    if (first === undefined) return []
    const { background, member, priority, units } = first
    return [{ member, priority, units, count: 1 + more.length, ...background === true && { background } }]
  })
  // A call now and then takes no lease.
  const isBusy = queue.reply !== undefined && now - queue.reply.at <= leaseMillis(rules)
  const wantsLease = isBusy && queue.lease === undefined && wants.some(({ background }) => background !== true)
  return [{ instance, wants, wantsLease }, { ...queue, phase: { _tag: "Asking" } }]
}

const shortestRestMillis = 100
const longestRestMillis = 500

/**
 * Grants units to the requests of the question. Refuses those that cannot wait long enough, with the time of the next
 * unit. Those of requests that no longer wait go back.
 */
export const replied = <W extends Waiter>(before: Queue<W>, reply: Reply, now: number) => {
  const { grant, wants } = reply
  const open = new Map(wants.map((want) => [kindOf(want), { ...want, left: want.granted }]))
  const granted: Array<readonly [W, Grant]> = []
  const refused: Array<readonly [W, number]> = []
  const waiting: Array<W> = []
  const isOutdated = before.phase._tag === "Asking" && before.phase.isOutdated === true
  let asksAgain = isOutdated
  for (const waiter of before.waiting) {
    const want = open.get(kindOf(waiter))
    if (want !== undefined && want.left > 0) {
      want.left--
      granted.push([waiter, { ...grant, units: waiter.units }])
    } else if (want !== undefined && isUnmet(want) && want.next > waiter.deadline) {
      refused.push([waiter, want.next])
    } else {
      waiting.push(waiter)
      asksAgain ||= want === undefined || !isUnmet(want)
    }
  }
  const unused = open.values().reduce((sum, { left, units }) => sum + left * units, 0)
  const next = minOf(wants.filter(isUnmet).map(({ next }) => next))
  const rest = asksAgain ? 0 : Math.min(longestRestMillis, Math.max(shortestRestMillis, next - now))
  const phase: Phase = waiting.length === 0 ? { _tag: "Idle" } : { _tag: "Resting", until: now + rest }
  return {
    granted,
    refused,
    unused: { ...grant, units: unused },
    queue: { phase, waiting, lease: reply.lease ?? before.lease, reply: isOutdated ? { ...reply, wants: [] } : reply }
  }
}

/** The bucket cannot be asked. */
export const failed = <W extends Waiter>(queue: Queue<W>): Queue<W> => ({
  ...queue,
  phase: { _tag: "Idle" },
  waiting: []
})
