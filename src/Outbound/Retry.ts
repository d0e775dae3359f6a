import { Duration, Effect, Result, Schedule } from "effect"
import type { RateLimited } from "../Capacity/Capacity.ts"
import { retryAfterMillis } from "./RetryAfter.ts"
import type { TransportError } from "./TransportError.ts"
import type { UpstreamResponse } from "./UpstreamResponse.ts"

export interface Attempt {
  readonly result: Result.Result<UpstreamResponse, TransportError | RateLimited>
  readonly minWaitMillis: number | undefined
}

const maxWaitMillis = 2000

export const toAttempt = (
  result: Attempt["result"],
  nowMillis: number,
  { retriesServerErrors = true }: { readonly retriesServerErrors?: boolean } = {}
): Attempt => ({
  result,
  minWaitMillis: millisBeforeRetry(result, nowMillis, retriesServerErrors)
})

const millisBeforeRetry = (
  result: Attempt["result"],
  nowMillis: number,
  retriesServerErrors: boolean
): number | undefined => {
  if (Result.isFailure(result)) {
    return result.failure._tag === "TransportError" && result.failure.connectFailed ? 0 : undefined
  }
  switch (result.success.status) {
    case 429:
      return shortWaitMillis(result.success, nowMillis)
    case 502:
    case 503:
    case 504:
      return retriesServerErrors ? shortWaitMillis(result.success, nowMillis) ?? 0 : undefined
    default:
      return undefined
  }
}

const shortWaitMillis = ({ headers }: UpstreamResponse, nowMillis: number): number | undefined => {
  const millis = retryAfterMillis(headers["retry-after"], nowMillis) ?? Infinity
  return millis <= maxWaitMillis ? millis : undefined
}

export const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.setInputType<Attempt>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.max(duration, Duration.millis(input.minWaitMillis ?? 0)))
  ),
  Schedule.while(({ attempt, input }) => Effect.succeed(attempt <= 2 && input.minWaitMillis !== undefined)),
  Schedule.passthrough
)
