import { DateTime, Duration, Effect, Option, Result, Schedule } from "effect"
import type { TransportError, UpstreamResponse } from "./UpstreamResponse.ts"

export interface Attempt {
  readonly result: Result.Result<UpstreamResponse, TransportError>
  /** The shortest wait before a retry, in milliseconds; `undefined` means no retry. */
  readonly wait: number | undefined
}

const maxWaitMillis = 2000

/** `now` is in epoch milliseconds. Contract section 7. */
export const toAttempt = (result: Attempt["result"], now: number): Attempt => ({
  result,
  wait: waitBeforeRetry(result, now)
})

const waitBeforeRetry = (result: Attempt["result"], now: number): number | undefined => {
  if (Result.isFailure(result)) return result.failure.connectFailed ? 0 : undefined
  switch (result.success.status) {
    case 429:
      return retryAfter(result.success, now)
    case 502:
    case 503:
    case 504:
      return retryAfter(result.success, now) ?? 0
    default:
      return undefined
  }
}

/** In milliseconds, `undefined` if the header is absent or the wait too long. */
const retryAfter = ({ headers }: UpstreamResponse, now: number): number | undefined => {
  const value = headers["retry-after"]
  if (value === undefined) return undefined
  const wait = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Option.match(DateTime.make(value), {
      onNone: () => Infinity,
      onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - now)
    })
  return wait <= maxWaitMillis ? wait : undefined
}

export const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.setInputType<Attempt>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.max(duration, Duration.millis(input.wait ?? 0)))
  ),
  Schedule.while(({ attempt, input }) => Effect.succeed(attempt <= 2 && input.wait !== undefined)),
  Schedule.passthrough
)
