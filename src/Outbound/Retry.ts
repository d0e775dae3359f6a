import { DateTime, Duration, Effect, Option, Result, Schedule } from "effect"
import type { RateLimited } from "../Capacity/Capacity.ts"
import type { TransportError, UpstreamResponse } from "./UpstreamResponse.ts"

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
      return retryAfterMillis(result.success, nowMillis)
    case 502:
    case 503:
    case 504:
      return retriesServerErrors ? retryAfterMillis(result.success, nowMillis) ?? 0 : undefined
    default:
      return undefined
  }
}

const retryAfterMillis = ({ headers }: UpstreamResponse, nowMillis: number): number | undefined => {
  const value = headers["retry-after"]
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Option.match(DateTime.make(value), {
      onNone: () => Infinity,
      onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - nowMillis)
    })
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
