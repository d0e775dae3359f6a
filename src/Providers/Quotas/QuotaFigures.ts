import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { Quota } from "../Quota.ts"
import type { Claim, LocalBucket } from "./LocalBucket.ts"
import type { HolderBudget, QuotaCaller } from "./QuotaCaller.ts"
import { budgetPrefix } from "./QuotaErrors.ts"

/** Keeps the quota with the least left for the response. */
export const noteScarcest = (claims: ReadonlyArray<Claim>, caller: QuotaCaller, now: number) => {
  let scarcest: LocalBucket | undefined
  let least = caller.scarcest === undefined ? Infinity : caller.scarcest.remaining / caller.scarcest.limit
  for (const { bucket } of claims) {
    if (bucket.holds || bucket.quota.name.startsWith(budgetPrefix)) continue
    const part = remainingOf(bucket, now) / limitOf(bucket)
    if (part >= least) continue
    least = part
    scarcest = bucket
  }
  if (scarcest !== undefined) caller.scarcest = stateOf(scarcest, now)
}

const limitOf = ({ answer, rules }: LocalBucket): number => answer?.given.limit ?? rules.limit

const remainingOf = (bucket: LocalBucket, now: number): number => {
  const limit = limitOf(bucket)
  return Math.max(0, Math.min(limit, limit - (bucket.answer?.given.used ?? 0) + bucket.unused(now)))
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

export const stateOf = (bucket: LocalBucket, now: number): ProviderQuota => ({
  name: bucket.quota.name,
  limit: limitOf(bucket),
  remaining: remainingOf(bucket, now),
  windowSeconds: bucket.quota.windowSeconds,
  resetsAt: Math.max(now, bucket.answer?.given.resetsAt ?? now + bucket.rules.window)
})
