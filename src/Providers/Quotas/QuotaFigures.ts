import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { Quota } from "../Quota.ts"
import type { Claim } from "./Governor.ts"
import type { LocalBucket } from "./LocalBucket.ts"
import type { HolderBudget, QuotaCaller } from "./QuotaCaller.ts"
import { budgetPrefix } from "./QuotaErrors.ts"

/** Keeps the quota with the least left for the response. */
export const noteScarcest = (claims: ReadonlyArray<Claim>, caller: QuotaCaller, now: number) => {
  for (const { bucket } of claims) {
    if (bucket.holds || bucket.quota.name.startsWith(budgetPrefix)) continue
    const state = stateOf(bucket, now)
    const { scarcest } = caller
    if (scarcest === undefined || state.remaining / state.limit < scarcest.remaining / scarcest.limit) {
      caller.scarcest = state
    }
  }
}

/** A budget is counted like a quota. */
export const quotaOf = ({ limit, name }: HolderBudget): Quota => ({
  name: `${budgetPrefix}${name}`,
  scope: "account",
  counts: "units",
  windowSeconds: 86_400,
  resets: "UTC",
  limit,
  units: {},
  source: "",
  asOf: ""
})

export const stateOf = (bucket: LocalBucket, now: number): ProviderQuota => {
  const { quota: { name, windowSeconds }, rules } = bucket
  const { limit = rules.limit, resetsAt = now + rules.window, used = 0 } = bucket.answer?.given ?? {}
  return {
    name,
    limit,
    remaining: Math.max(0, Math.min(limit, limit - used + bucket.unused(now))),
    windowSeconds,
    resetsAt: Math.max(now, resetsAt)
  }
}
