import type { ErrorCode, OpenAccountsError } from "./OpenAccountsError.ts"
import type { CallOptions, Target } from "./Operation.ts"

/** The service refuses these calls before it contacts the provider. */
const notCarriedOut: ReadonlyArray<ErrorCode> = ["rate_limited", "unavailable", "request_timeout"]

/** With a key, the service carries a write out once and reports an unknown outcome. */
const withKey: ReadonlyArray<ErrorCode> = [
  ...notCarriedOut,
  "idempotency_in_progress",
  "internal_error",
  "unreachable"
]

const ofReads: ReadonlyArray<ErrorCode> = [...withKey, "upstream_unreachable"]

const passing = [429, 502, 503, 504]

export const mayRetry = (
  error: OpenAccountsError,
  { writes }: Pick<Target, "writes">,
  { idempotencyKey }: CallOptions
): boolean => {
  if (error.code === "unreachable" && !error.details.sent) return true
  if (!writes) {
    return ofReads.includes(error.code) ||
      ((error.code === "upstream_error" || error.code === "invalid_response") && passing.includes(error.status))
  }
  if (idempotencyKey === undefined) return notCarriedOut.includes(error.code)
  return withKey.includes(error.code) || (error.code === "invalid_response" && passing.includes(error.status))
}

const firstPauseMillis = 250

const longestPauseMillis = 5000

const longestRetryAfterMillis = 30_000

export const pauseBefore = (error: OpenAccountsError, attempt: number): number | undefined => {
  const { retryAfterMillis } = error
  if (retryAfterMillis !== undefined) return retryAfterMillis > longestRetryAfterMillis ? undefined : retryAfterMillis
  return Math.min(longestPauseMillis, firstPauseMillis * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
    }
    const abort = () => {
      end()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      end()
      resolve()
    }, millis)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener("abort", abort, { once: true })
  })
