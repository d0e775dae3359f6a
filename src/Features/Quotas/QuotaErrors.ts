import { RateLimited } from "../../Api/Errors.ts"
import { budgetPrefix, type Exhausted } from "./LocalBucket.ts"

/** Nothing was sent. */
export const quotaExhausted = ({ bucket, next }: Exhausted, now: number): RateLimited => {
  const { isBudget, limit, quota: { counts, name, windowSeconds } } = bucket
  const seconds = Math.max(1, Math.ceil((next - now) / 1000))
  const shown = isBudget ? name.slice(budgetPrefix.length) : name
  const what = isBudget
    ? `The budget of ${limit} ${shown === "writes_per_day" ? "writes" : "calls"} a day is used up`
    : counts === "concurrent"
    ? `${limit} requests that count to the provider's quota ${name} are under way`
    : counts === "server_errors"
    ? `The provider answered ${limit} requests of the quota ${name} with server errors and would soon refuse all`
    : `The provider's quota ${name} of ${limit} ${limit === 1 ? "unit" : "units"} in ${
      windowText(windowSeconds)
    } is used up`
  return new RateLimited({
    message: `${what}. Nothing was sent. Try again in ${seconds} seconds.`,
    details: {
      limited_by: isBudget ? "budget" : "provider_quota",
      quota: shown,
      limit,
      resets_at: new Date(Math.max(Math.ceil(next), now)).toISOString(),
      retry_after_seconds: seconds
    }
  })
}

const windowText = (seconds: number): string => {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? "a day" : `${seconds / 86_400} days`
  if (seconds % 3600 === 0) return seconds === 3600 ? "an hour" : `${seconds / 3600} hours`
  if (seconds % 60 === 0) return seconds === 60 ? "a minute" : `${seconds / 60} minutes`
  return seconds === 1 ? "a second" : `${seconds} seconds`
}
