import { Data, Deferred, Exit } from "effect"
import { hash } from "node:crypto"
import type { Quota } from "../../Providers/Quota.ts"
import type { Answer, Ask, Lease } from "./Bucket/Ask.ts"
import type { Want } from "./Bucket/Bucket.ts"
import { aheadUnits, leaseMillis, reservedUnits, type Rules, rulesOf } from "./Bucket/Rules.ts"

/** No unit can be had before `next`, in epoch milliseconds. */
export class Exhausted extends Data.TaggedError("Exhausted")<{ readonly bucket: LocalBucket; readonly next: number }> {}

export interface Claim {
  readonly bucket: LocalBucket
  readonly units: number
}

export interface Taken extends Claim, Lease {}

export interface Waiter {
  readonly member: string
  /** 0 is the most urgent. */
  readonly priority: number
  /** Leaves a tenth of the quota to others. */
  readonly isBackground: boolean
  readonly units: number
  /** Epoch milliseconds. */
  readonly since: number
  readonly deadline: number
  readonly granted: Deferred.Deferred<Lease, Exhausted>
  /** It is in the last question. */
  isAsked: boolean
  /** Once it is granted. */
  lease?: Lease
}

type LeaseInUse = { -readonly [Key in keyof Lease]: Lease[Key] }

/** Names of budgets begin with it. */
export const budgetPrefix = "budget."

/** An answer is not asked for again within this time. */
const freshMillis = 500

const maxWaiting = 10_000

/** What one instance knows of a bucket: the units that it may use, and the calls that wait. */
export class LocalBucket {
  readonly key: string
  readonly quota: Quota
  readonly subject: string
  readonly rules: Rules
  /** Its units are slots of requests under way. */
  readonly holds: boolean
  readonly isBudget: boolean
  /** Copied from the last answer, because every call reads them. */
  limit: number
  used = 0
  readonly waiting = new Set<Waiter>()
  isAsking = false
  /** Ends the pause before the next question. */
  alarm: Deferred.Deferred<void> | undefined
  /** Something has changed since the last question was put. */
  isWoken = false
  /** For requests that end: how many units this instance holds, and how many of them are free. */
  held = 0
  free = 0
  isReturning = false
  answer: { readonly at: number; readonly given: Answer } | undefined
  /** Calls take their units. */
  #leases: Array<LeaseInUse> = []
  #takers: Array<string> = []
  #asked = new Set<string>()
  #askedAt = 0
  /** By connection, until when its use is noted. */
  readonly uses = new Map<string, number>()
  readonly #ahead: number
  readonly #soonMillis: number

  constructor(quota: Quota, subject: string) {
    this.quota = quota
    this.subject = subject
    this.rules = rulesOf(quota)
    this.holds = this.rules.counts !== "units"
    this.isBudget = quota.name.startsWith(budgetPrefix)
    this.limit = this.rules.limit
    this.#ahead = aheadUnits(this.rules)
    this.#soonMillis = leaseMillis(this.rules) / 4
    this.key = `${quota.name} ${hash("sha256", subject, "base64url")}`
  }

  get isIdle(): boolean {
    return this.waiting.size === 0 && !this.isAsking && this.held === 0 && this.#leases.length === 0
  }

  /** Other instances know nothing of this call yet. */
  isNews(waiter: Waiter): boolean {
    return !this.#asked.has(wantOf(waiter)) || !this.#hasUnmet(waiter)
  }

  /** The last answer was too little for the calls, or the background requests, of its question. */
  #hasUnmet({ isBackground }: Pick<Waiter, "isBackground">): boolean {
    return this.answer !== undefined && nextOf(this.answer.given, isBackground) > this.#askedAt
  }

  wake(): void {
    this.isWoken = true
    if (this.alarm !== undefined) Deferred.doneUnsafe(this.alarm, Exit.void)
  }

  /** Requests wait for slots in other instances, which then are divided anew. */
  get othersWait(): boolean {
    return this.answer?.given.othersWait === true
  }

  /** Units that this instance has taken and not used. */
  unused(now: number): number {
    let units = this.free
    for (const lease of this.#leases) if (lease.useBy > now) units += lease.units
    return units
  }

  has(units: number, now: number, isBackground = false): boolean {
    if (this.waiting.size > 0) return false
    if (this.holds) return this.#hasFree(units, isBackground)
    // Only the bucket of all instances knows what is left to others.
    return !isBackground && this.#leaseWith(units, now) !== undefined
  }

  #leaseWith(units: number, now: number): LeaseInUse | undefined {
    for (const lease of this.#leases) if (lease.useBy > now && lease.units >= units) return lease
    return undefined
  }

  /** Takes units that `has` has found. */
  take(member: string, units: number, now: number): Taken {
    if (this.#takers.at(-1) !== member) this.#takers = [...this.#takers.slice(-1), member]
    if (this.holds) {
      this.free -= units
      return { bucket: this, units, until: 0, useBy: Infinity }
    }
    const lease = this.#leaseWith(units, now)
    if (lease === undefined) return { bucket: this, units: 0, until: 0, useBy: 0 }
    lease.units -= units
    return { bucket: this, units, until: lease.until, useBy: lease.useBy }
  }

  /** Before the units that were taken ahead are used or too old, so that no call waits for new ones. */
  wantsMore(now: number): boolean {
    if (this.isAsking || this.#ahead === 0) return false
    return this.unused(now + this.#soonMillis) <= this.#ahead / 2
  }

  /** When a call that waits until `deadline` cannot get a unit: when the next one can be had. */
  refusal({ deadline, isBackground }: Pick<Waiter, "deadline" | "isBackground">, now: number): number | undefined {
    if (this.waiting.size >= maxWaiting) return this.answer?.given.next ?? now + 1000
    if (this.answer === undefined || now - this.answer.at >= freshMillis) return undefined
    const next = nextOf(this.answer.given, isBackground)
    return next > now && next > deadline ? next : undefined
  }

  /** Free slots go back with the question, so that all instances share them. */
  asked(instance: string, now: number): Ask {
    const wants = new Map<string, { -readonly [Key in keyof Want]: Want[Key] }>()
    for (const waiter of this.waiting) {
      waiter.isAsked = true
      const { isBackground, member, priority, since, units } = waiter
      const key = wantOf(waiter)
      const want = wants.get(key)
      if (want === undefined) {
        wants.set(key, { member, units, count: 1, priority, since, ...isBackground && { background: true } })
      } else {
        want.units = Math.max(want.units, units)
        want.count++
      }
    }
    this.#asked = new Set(wants.keys())
    this.#askedAt = now
    this.isWoken = false
    const takers = this.#takers
    this.#takers = []
    const returned = this.free
    this.free = 0
    this.held -= returned
    return { instance, now, rules: this.rules, wants: [...wants.values()], takers, returned }
  }

  /** Gives units to the calls that wait, and refuses those that cannot wait long enough. Returns what is left. */
  receive(answer: Answer, now: number): ReadonlyArray<Lease> {
    this.answer = { at: now, given: answer }
    this.limit = answer.limit
    this.used = answer.used
    // Before the calls go on, which read what is left.
    if (answer.ahead.units > 0) this.#leases.push({ ...answer.ahead })
    const left: Array<Lease> = []
    for (const isBackground of [false, true]) {
      for (const [member, units] of isBackground ? answer.background : answer.granted) {
        if (this.holds) this.held += units
        const rest = this.#serve({ member, isBackground }, units, answer.lease)
        if (rest > 0) left.push({ ...answer.lease, units: rest })
      }
    }
    for (const waiter of this.waiting) {
      const next = nextOf(answer, waiter.isBackground)
      // If all got units, those left came later, or a more urgent call took theirs. They are asked for next.
      const isAnswered = waiter.isAsked && this.#hasUnmet(waiter)
      if (next > now ? next >= waiter.deadline : isAnswered && now >= waiter.deadline) this.refuse(waiter, next)
    }
    return left
  }

  /** Units of requests that have ended go to the next member in turn. */
  handOn(units: number): void {
    this.free += units
    for (const waiter of this.waiting) {
      if (waiter.units > this.free) return
      if (!this.#hasFree(waiter.units, waiter.isBackground)) continue
      // A served waiter may return its units immediately.
      this.free -= waiter.units
      this.free += this.#serve(waiter, waiter.units, { until: 0, useBy: Infinity })
    }
  }

  refuse(waiter: Waiter, next: number): void {
    this.waiting.delete(waiter)
    Deferred.doneUnsafe(waiter.granted, Exit.fail(new Exhausted({ bucket: this, next })))
  }

  /** Removes a lease whose time is over, and returns what is left of it. */
  end(until: number, useBy: number): Lease | undefined {
    const index = this.#leases.findIndex((lease) => lease.until === until && lease.useBy === useBy)
    return this.#leases.splice(index, index < 0 ? 0 : 1)[0]
  }

  endAll(): ReadonlyArray<Lease> {
    return this.#leases.splice(0)
  }

  #hasFree(units: number, isBackground: boolean): boolean {
    const { limit } = this.rules
    return this.free >= units && (!isBackground || this.held - this.free + units <= limit - reservedUnits(limit))
  }

  #serve(
    { isBackground, member }: Pick<Waiter, "member" | "isBackground">,
    units: number,
    lease: Omit<Lease, "units">
  ): number {
    let rest = units
    for (;;) {
      let first: Waiter | undefined
      for (const waiter of this.waiting) {
        const isNext = waiter.member === member && waiter.isBackground === isBackground && waiter.units <= rest &&
          waiter.priority < (first?.priority ?? Infinity)
        if (isNext) first = waiter
      }
      if (first === undefined) return rest
      this.waiting.delete(first)
      rest -= first.units
      first.lease = { ...lease, units: first.units }
      Deferred.doneUnsafe(first.granted, Exit.succeed(first.lease))
    }
  }
}

/** Members take turns. Within a member, urgent calls go first. */
const wantOf = ({ isBackground, member, priority }: Waiter): string =>
  `${priority} ${member}${isBackground ? " background" : ""}`

const nextOf = ({ next, nextBackground }: Answer, isBackground: boolean): number => isBackground ? nextBackground : next
