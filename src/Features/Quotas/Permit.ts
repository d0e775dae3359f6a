import { Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"
import type { Permit } from "../../Providers/Sending/Permit.ts"
import type { Governor } from "./Governor.ts"
import { countForAll, learn, type Sent } from "./Learning.ts"
import type { Claim, LocalBucket, Taken } from "./LocalBuckets.ts"
import { isBudget } from "./QuotaErrors.ts"

/** Counts to no quota. */
export const freePermit: Permit = {
  waited: false,
  attempt: () => undefined,
  isAttempted: () => true,
  learn: () => Effect.void,
  end: () => {}
}

export interface Permitted extends Sent {
  readonly waited: boolean
  /** After a 2xx: remembers that the account reaches the resource. Returns the buckets that count for all callers. */
  readonly reached: Effect.Effect<ReadonlyArray<LocalBucket>> | undefined
  /** For a further attempt. */
  readonly take: (claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<Taken>, RateLimited>
}

export const makePermit = (governor: Governor, permitted: Permitted): Permit => {
  let { taken } = permitted
  let attempts = 0
  let isEnded = false
  const keep = (all: ReadonlyArray<Taken>): void => {
    taken = all
  }

  return {
    waited: permitted.waited,
    attempt: () =>
      attempts++ === 0
        // Getting a new access token may have taken long.
        ? Effect.map(governor.renew(taken), keep)
        : Effect.map(
          permitted.take(permitted.taken.filter(isOfAttempt)),
          (more) => keep([...taken.filter((each) => !isOfAttempt(each)), ...more])
        ),
    isAttempted: () => attempts > 0,
    learn: (answer) => {
      const { provider, reached } = permitted
      const isSuccess = answer.status < 300 && provider.quotaError?.(answer) === undefined
      const learned = isSuccess && provider.quotaReport === undefined
        ? Effect.void
        : Effect.suspend(() => Effect.map(learn(governor, { ...permitted, taken }, answer), keep))
      if (!isSuccess || reached === undefined) return learned
      const counted = Effect.flatMap(
        reached,
        (shared) => shared.length === 0 ? Effect.void : Effect.map(countForAll(governor, taken, shared), keep)
      )
      return Effect.andThen(counted, learned)
    },
    end: (wasSent) => {
      if (isEnded) return
      isEnded = true
      for (const each of taken) {
        if (each.bucket.quota.counts !== "units" || !wasSent && attempts <= 1) governor.giveBack(each)
      }
    }
  }
}

/** A slot is for all attempts, and a budget counts calls. */
const isOfAttempt = ({ bucket: { quota } }: Claim): boolean => quota.counts === "units" && !isBudget(quota)
