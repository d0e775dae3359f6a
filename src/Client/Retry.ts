import { type ErrorCode, OpenAccountsError } from "./OpenAccountsError.ts"

/** The service refuses these requests before it carries anything out. */
const notCarriedOut: ReadonlyArray<ErrorCode> = ["rate_limited", "unavailable", "request_timeout"]

/** Errors after which a write with a key is sent again: the service carries it out once. */
const withKey: ReadonlyArray<ErrorCode> = [
  ...notCarriedOut,
  "idempotency_in_progress",
  "internal_error",
  "unreachable"
]

const ofReads: ReadonlyArray<ErrorCode> = [...withKey, "upstream_unreachable"]

const passing = [429, 502, 503, 504]

interface Retries {
  readonly writes: boolean
  readonly retries: number
  readonly idempotencyKey?: string | undefined
  readonly signal: AbortSignal | undefined
}

export const retrying = async <A>(attempt: () => Promise<A>, options: Retries): Promise<A> => {
  for (let attempts = 0;; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof OpenAccountsError) || attempts >= options.retries || !mayRetry(error, options)) throw error
      const millis = pauseBefore(error, attempts)
      if (millis === undefined) throw error
      await pause(millis, options.signal)
    }
  }
}

const mayRetry = (error: OpenAccountsError, { idempotencyKey, writes }: Retries): boolean => {
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

const pauseBefore = (error: OpenAccountsError, attempt: number): number | undefined => {
  const { retryAfterMillis } = error
  if (retryAfterMillis !== undefined) return retryAfterMillis > longestRetryAfterMillis ? undefined : retryAfterMillis
  return Math.min(longestPauseMillis, firstPauseMillis * 2 ** attempt) * (0.5 + Math.random() / 2)
}

const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
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
