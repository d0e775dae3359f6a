import { Duration } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { InternalError, type ToolCallError } from "../../Api/Errors.ts"
import type { LeaseLost } from "../../Sql/LeasedRows.ts"
import type { Claim, RunEnd } from "./DatasetRuns.ts"
import type { DatasetError } from "./Declared.ts"
import type { DatasetStorageFailed } from "./Files/FileStore.ts"

/** `SqlError` comes from the service's own database. */
export type RunFailure = ToolCallError | DatasetStorageFailed | SqlError

/** After this many failures in a row, a dataset is `failed`. The service still retries it. */
const maxFailures = 5

const firstPause = Duration.toMillis("30 seconds")
const longestPause = Duration.toMillis("1 hour")
/** Short, because a retry with an inactive connection sends nothing. */
const inactivePause = Duration.toMillis("1 minute")

const causeOf = (failure: RunFailure): Pick<DatasetError, "code" | "message"> => {
  if (failure._tag === "DatasetStorageFailed") return { code: "storage_failed", message: failure.message }
  const { code, message } = failure._tag === "SqlError" ? new InternalError() : failure
  return { code, message }
}

/** True if only this day failed, so that the run fetches the other days. */
export const isOfDay = (failure: RunFailure | LeaseLost): failure is RunFailure =>
  failure._tag === "UpstreamError" && failure.status !== 429

/** True if a retry within minutes would fail again. */
const isLasting = (failure: RunFailure): boolean => {
  switch (failure._tag) {
    case "UpstreamError":
      return failure.status < 500 && failure.status !== 429 && failure.status !== 408
    case "UpstreamUnreachable":
    case "RateLimited":
    case "InternalError":
    case "DatasetStorageFailed":
    case "SqlError":
      return false
    default:
      return true
  }
}

/** When a run goes on after a failure. `now` is in epoch milliseconds. */
export const endOf = (claim: Claim, failure: RunFailure = new InternalError(), now: number): RunEnd => {
  const error = { ...causeOf(failure), at: new Date(now) }
  if (failure._tag === "RateLimited" && failure.details.limited_by === "provider_quota") {
    const dueAt = new Date(now + failure.details.retry_after_seconds * 1000)
    return { dueAt, problem: { error, failures: claim.failures, failed: false } }
  }
  const failures = claim.failures + 1
  const pause = failure._tag === "ConnectionInactive"
    ? inactivePause
    : isLasting(failure)
    ? longestPause
    : Math.min(longestPause, firstPause * 2 ** (failures - 1))
  return {
    dueAt: new Date(now + pause),
    problem: { error, failures, failed: isLasting(failure) || failures >= maxFailures }
  }
}
