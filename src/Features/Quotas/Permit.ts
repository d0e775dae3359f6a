import { type Clock, Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import type { Provider, RawInput } from "../../Providers/Provider.ts"
import type { Answered, Permit } from "../../Providers/Sending/Permit.ts"
import { type Governor, isLate } from "./Governor.ts"
import { countForAll, learn } from "./Learning.ts"
import type { Claim, LocalBucket, Taken } from "./LocalBucket.ts"

/** Counts to no quota. */
export const freePermit: Permit = {
  waited: false,
  attempt: () => undefined,
  isAttempted: () => true,
  learn: () => Effect.void,
  end: () => {}
}

export interface Held {
  readonly request: { readonly provider: Provider; readonly input: RawInput }
  readonly claims: ReadonlyArray<Claim>
  readonly waited: boolean
  taken: ReadonlyArray<Taken>
  /** After a 2xx: remembers that the account reaches the resource. Returns the buckets that count for all callers. */
  readonly reached: ((now: number) => Effect.Effect<ReadonlyArray<LocalBucket>> | undefined) | undefined
  readonly take: (claims: ReadonlyArray<Claim>, now: number) => Effect.Effect<ReadonlyArray<Taken>, RateLimited>
}

/** A class, because every request has one. */
export class HeldPermit implements Permit {
  readonly #governor: Governor
  readonly #clock: Clock.Clock
  readonly #held: Held
  #attempts = 0
  #isEnded = false

  constructor(governor: Governor, clock: Clock.Clock, held: Held) {
    this.#governor = governor
    this.#clock = clock
    this.#held = held
  }

  get waited() {
    return this.#held.waited
  }

  attempt() {
    const now = this.#clock.currentTimeMillisUnsafe()
    return this.#attempts++ > 0 ? this.#takeAgain(now) : this.#renewLate(now)
  }

  isAttempted() {
    return this.#attempts > 0
  }

  learn(answer: Answered) {
    const held = this.#held
    const { input, provider } = held.request
    const isSuccess = answer.status < 300 && provider.quotaError?.(answer) === undefined
    const reached = isSuccess ? held.reached?.(this.#clock.currentTimeMillisUnsafe()) : undefined
    const learned = isSuccess && provider.quotaReport === undefined ?
      Effect.void :
      Effect.suspend(() =>
        Effect.map(learn(this.#governor, { provider, input, taken: held.taken }, answer), (released) => {
          if (released.length > 0) held.taken = held.taken.filter((each) => !released.includes(each))
        })
      )
    if (reached === undefined) return learned
    const counted = Effect.flatMap(reached, (shared) => countForAll(this.#governor, held.taken, shared))
    return Effect.flatMap(counted, (taken) => {
      held.taken = taken
      return learned
    })
  }

  end(wasSent: boolean) {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const each of this.#held.taken) {
      if (each.bucket.holds) this.#governor.release(each.bucket, each.units)
      else if (!wasSent && this.#attempts <= 1) this.#governor.giveBack([each])
    }
  }

  #takeAgain(now: number): Effect.Effect<void, RateLimited> {
    const held = this.#held
    return Effect.map(held.take(held.claims.filter(isPerAttempt), now), (more) => {
      held.taken = [...held.taken.filter((each) => !isPerAttempt(each)), ...more]
    })
  }

  /** Getting a new access token may have taken long. */
  #renewLate(now: number): Effect.Effect<void> | undefined {
    const held = this.#held
    if (!held.taken.some((each) => isLate(each, now))) return undefined
    const renewed = Effect.forEach(
      held.taken,
      (each) => isLate(each, now) ? this.#governor.renew(each) : Effect.succeed(each),
      { concurrency: "unbounded" }
    )
    return Effect.map(renewed, (all) => {
      held.taken = all
    })
  }
}

const isPerAttempt = ({ bucket: { holds, isBudget } }: Claim): boolean => !holds && !isBudget
