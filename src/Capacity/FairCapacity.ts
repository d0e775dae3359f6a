import { Deferred, type Duration, Effect, Scope } from "effect"
import type { RateLimited } from "../Api/Errors.ts"

interface Waiter {
  readonly amount: number
  readonly granted: Deferred.Deferred<void>
}

interface Account {
  readonly member: string
  held: number
  readonly waiting: Set<Waiter>
}

interface Options {
  readonly capacity: number
  /** The most requests of one member that may wait. */
  readonly maxWaiting: number
  readonly maxWait: Duration.Duration
  readonly exceeded: () => RateLimited
  /** Recent use of a member. The member with the least comes first. By default members take turns. */
  readonly recentUse?: ((member: string) => number) | undefined
}

/**
 * A capacity that members share fairly. A member may take more only if at least as much stays free as it then holds, so
 * one member gets at most half, and two get a third each. A member that holds nothing may take all that is free. Other
 * requests wait, and members take turns. Effect's `PartitionedSemaphore` would leave nothing for a new member.
 */
export class FairCapacity {
  readonly #options: Options
  readonly #accounts = new Map<string, Account>()
  readonly #waiting = new Set<Account>()
  #free: number

  constructor(options: Options) {
    this.#options = options
    this.#free = options.capacity
  }

  /** Holds the amount, at most the whole capacity, until the scope closes. */
  reserve(member: string, amount: number, scope: Scope.Scope): Effect.Effect<void, RateLimited> {
    const fitting = Math.min(amount, this.#options.capacity)
    return Effect.uninterruptibleMask((restore) => {
      const account = this.#accountOf(member)
      return Effect.andThen(
        this.#tryTake(account, fitting) ? Effect.void : this.#wait(account, fitting, restore),
        Scope.addFinalizer(scope, Effect.sync(() => this.#giveBack(account, fitting)))
      )
    })
  }

  /** Holds an amount of 1 while the effect runs. */
  inTurn<A, E, R>(member: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | RateLimited, R> {
    return Effect.scopedWith((scope) => Effect.andThen(this.reserve(member, 1, scope), effect))
  }

  #tryTake(account: Account, amount: number): boolean {
    if (account.waiting.size > 0 || !this.#fits(account, amount)) return false
    this.#take(account, amount)
    return true
  }

  #wait(account: Account, amount: number, restore: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) {
    const { exceeded, maxWait, maxWaiting } = this.#options
    if (account.waiting.size >= maxWaiting) return Effect.fail(exceeded())
    const waiter: Waiter = { amount, granted: Deferred.makeUnsafe() }
    account.waiting.add(waiter)
    this.#waiting.add(account)
    const granted = Effect.timeoutOrElse(Deferred.await(waiter.granted), {
      duration: maxWait,
      orElse: () => Effect.fail(exceeded())
    })
    return Effect.onError(restore(granted), () => Effect.sync(() => this.#leave(account, waiter)))
  }

  #leave(account: Account, waiter: Waiter): void {
    if (account.waiting.delete(waiter)) this.#serve()
    else this.#giveBack(account, waiter.amount)
  }

  #take(account: Account, amount: number): void {
    account.held += amount
    this.#free -= amount
  }

  #giveBack(account: Account, amount: number): void {
    this.#take(account, -amount)
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

  #forgetUnused({ held, member, waiting }: Account): void {
    if (held === 0 && waiting.size === 0) this.#accounts.delete(member)
  }

  #fits({ held }: Account, amount: number): boolean {
    return held === 0 ? amount <= this.#free : held + amount <= this.#free - amount
  }

  #serve(): void {
    const granted: Array<Waiter> = []
    for (let account = this.#next(); account !== undefined; account = this.#next()) {
      const [first] = account.waiting
      if (first === undefined) break
      account.waiting.delete(first)
      this.#take(account, first.amount)
      granted.push(first)
      // The member's next request waits behind those of other members.
      this.#waiting.delete(account)
      if (account.waiting.size > 0) this.#waiting.add(account)
    }
    for (const waiter of granted) Deferred.doneUnsafe(waiter.granted, Effect.void)
  }

  #next(): Account | undefined {
    const { recentUse = () => 0 } = this.#options
    let [next, least]: [Account | undefined, number] = [undefined, Infinity]
    for (const account of this.#waiting) {
      const [first] = account.waiting
      if (first === undefined) {
        this.#waiting.delete(account)
        this.#forgetUnused(account)
      } else if (this.#fits(account, first.amount)) {
        const use = recentUse(account.member)
        if (use < least) [next, least] = [account, use]
      }
    }
    return next
  }
}
