import { Data, type Duration, Effect } from "effect"

export class CapacityExceeded extends Data.TaggedError("CapacityExceeded") {}

const exceeded = Effect.fail(new CapacityExceeded())

interface Waiter {
  readonly amount: number
  readonly grant: () => void
}

interface Account {
  readonly member: string
  held: number
  readonly waiting: Set<Waiter>
}

/**
 * A capacity that members share fairly. A member may take more only if at least as much stays free as it then holds, so
 * one member gets at most half, and two get a third each. A member that holds nothing may take all that is free. Other
 * requests wait, and members take turns. Effect's `PartitionedSemaphore` would leave nothing for such a member.
 */
export class FairCapacity {
  readonly capacity: number
  readonly #maxWaiting: number
  readonly #maxWait: Duration.Duration
  readonly #accounts = new Map<string, Account>()
  readonly #waiting = new Set<Account>()
  #free: number

  constructor({ capacity, maxWait, maxWaiting }: {
    readonly capacity: number
    readonly maxWaiting: number
    readonly maxWait: Duration.Duration
  }) {
    this.capacity = capacity
    this.#free = capacity
    this.#maxWaiting = maxWaiting
    this.#maxWait = maxWait
  }

  open(member: string): MemberShare {
    return new MemberShare(this, member)
  }

  tryTake(member: string, amount: number): boolean {
    const account = this.#accountOf(member)
    if (account.waiting.size > 0 || !this.#fits(account, amount)) return false
    account.held += amount
    this.#free -= amount
    return true
  }

  /** `onGranted` runs as soon as the amount is taken, even if the fiber is being interrupted. */
  wait(member: string, amount: number, onGranted: () => void) {
    return Effect.callback<void, CapacityExceeded>((resume) => {
      const account = this.#accountOf(member)
      if (account.waiting.size >= this.#maxWaiting) return resume(exceeded)
      const grant = () => {
        onGranted()
        resume(Effect.void)
      }
      const waiter = { amount, grant }
      account.waiting.add(waiter)
      this.#waiting.add(account)
      return Effect.sync(() => {
        account.waiting.delete(waiter)
        this.#serve()
      })
    }).pipe(Effect.timeoutOrElse({ duration: this.#maxWait, orElse: () => exceeded }))
  }

  giveBack(member: string, amount: number): void {
    const account = this.#accountOf(member)
    account.held -= amount
    this.#free += amount
    if (this.#waiting.size > 0) this.#serve()
    this.#forgetUnused(account)
  }

  #accountOf(member: string): Account {
    let account = this.#accounts.get(member)
    if (account === undefined) {
      account = { member, held: 0, waiting: new Set() }
      this.#accounts.set(member, account)
    }
    return account
  }

  #forgetUnused({ held, member, waiting }: Account) {
    if (held === 0 && waiting.size === 0) this.#accounts.delete(member)
  }

  #fits({ held }: Account, amount: number): boolean {
    return held === 0 ? amount <= this.#free : held + amount <= this.#free - amount
  }

  #serve(): void {
    const granted: Array<Waiter> = []
    for (const account of this.#waiting) {
      const [first] = account.waiting
      if (first !== undefined && !this.#fits(account, first.amount)) continue
      this.#waiting.delete(account)
      if (first !== undefined) {
        account.waiting.delete(first)
        account.held += first.amount
        this.#free -= first.amount
        granted.push(first)
        if (account.waiting.size > 0) this.#waiting.add(account)
      }
      this.#forgetUnused(account)
    }
    for (const { grant } of granted) grant()
  }
}

export class MemberShare {
  readonly #capacity: FairCapacity
  readonly #member: string
  #held = 0

  constructor(capacity: FairCapacity, member: string) {
    this.#capacity = capacity
    this.#member = member
  }

  get held(): number {
    return this.#held
  }

  tryTake(amount: number): boolean {
    const fitting = Math.min(amount, this.#capacity.capacity)
    if (!this.#capacity.tryTake(this.#member, fitting)) return false
    this.#held += fitting
    return true
  }

  take(amount: number): Effect.Effect<void, CapacityExceeded> {
    return Effect.suspend(() => {
      if (this.tryTake(amount)) return Effect.void
      const fitting = Math.min(amount, this.#capacity.capacity)
      const onGranted = () => {
        this.#held += fitting
      }
      return this.#capacity.wait(this.#member, fitting, onGranted)
    })
  }

  shrink(amount: number): void {
    const excess = this.#held - amount
    if (excess <= 0) return
    this.#held = amount
    this.#capacity.giveBack(this.#member, excess)
  }

  release(): void {
    this.shrink(0)
  }
}
