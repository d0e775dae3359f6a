import { RateLimited } from "../../Api/Errors.ts"
import type { Quota } from "../../Providers/Quota.ts"
import type { HolderBudget } from "../../Providers/Sending/Caller.ts"
import { figuresOf } from "./Bucket.ts"
import type { Exhausted } from "./Governor.ts"
import { windowWords } from "./WindowWords.ts"

const budgetPrefix = "budget."

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

export const isBudget = ({ name }: Quota): boolean => name.startsWith(budgetPrefix)

/** The error of a request that was not sent. */
export const quotaExhausted = ({ bucket: { bucket, lease, quota }, next }: Exhausted, now: number): RateLimited => {
  const { limit } = figuresOf(bucket, quota, lease, now)
  const seconds = Math.max(1, Math.ceil((next - now) / 1000))
  return new RateLimited({
    message: `${reasonOf(quota, limit)}. Nothing was sent. Try again in ${seconds} seconds.`,
    details: {
      limited_by: isBudget(quota) ? "budget" : "provider_quota",
      quota: isBudget(quota) ? quota.name.slice(budgetPrefix.length) : quota.name,
      limit,
      resets_at: new Date(Math.max(Math.ceil(next), now)).toISOString(),
      retry_after_seconds: seconds
    }
  })
}

const reasonOf = (quota: Quota, limit: number): string => {
  const { counts, name, windowSeconds } = quota
  if (isBudget(quota)) {
    return `The budget of ${limit} ${name.endsWith("writes_per_day") ? "writes" : "calls"} a day is used up`
  }
  switch (counts) {
    case "concurrent":
      return `${limit} requests that count to the provider's quota ${name} are under way`
    case "server_errors":
      return `The provider answered ${limit} requests of the quota ${name} with server errors and would soon refuse all`
    case "units": {
      const units = `${limit} ${limit === 1 ? "unit" : "units"} in ${windowWords(windowSeconds)}`
      return `The provider's quota ${name} of ${units} is used up`
    }
  }
}
