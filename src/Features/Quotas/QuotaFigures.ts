import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { Quota } from "../../Providers/Quota.ts"
import type { Caller, HolderBudget } from "../../Providers/Sending/Caller.ts"
import { budgetPrefix, type Claim, type LocalBucket } from "./LocalBucket.ts"

/** Keeps the quota with the least left for the response. */
export const noteScarcest = (claims: ReadonlyArray<Claim>, caller: Caller, now: number) => {
  let scarcest: LocalBucket | undefined
  let least = caller.scarcest === undefined ? Infinity : caller.scarcest.remaining / caller.scarcest.limit
  for (const { bucket } of claims) {
    if (bucket.holds || bucket.isBudget) continue
    const part = remainingOf(bucket, now) / bucket.limit
    if (part >= least) continue
    least = part
    scarcest = bucket
  }
  if (scarcest !== undefined) caller.scarcest = stateOf(scarcest, now)
}

const remainingOf = (bucket: LocalBucket, now: number): number =>
  Math.max(0, Math.min(bucket.limit, bucket.limit - bucket.used + bucket.unused(now)))

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
  limit: bucket.limit,
  remaining: remainingOf(bucket, now),
  windowSeconds: bucket.quota.windowSeconds,
  resetsAt: Math.max(now, bucket.answer?.given.resetsAt ?? now + bucket.rules.window)
})
