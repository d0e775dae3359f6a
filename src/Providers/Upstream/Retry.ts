import { DateTime, Duration, Effect, Option, Result, Schedule } from "effect"
import type { TransportError, UpstreamResponse } from "./UpstreamResponse.ts"

/** What came of one try, and how long to wait, in milliseconds and at least, before another; absent where none is due. */
export interface Outcome {
  readonly result: Result.Result<UpstreamResponse, TransportError>
  readonly wait: number | undefined
}

const MAX_WAIT = 2000

/** What is worth another try (section 7 of the contract); `now` in epoch milliseconds. */
export const outcomeOf = (result: Outcome["result"], now: number): Outcome => ({ result, wait: waitAfter(result, now) })

const waitAfter = (result: Outcome["result"], now: number): number | undefined => {
  if (Result.isFailure(result)) return result.failure.connectFailed ? 0 : undefined
  switch (result.success.status) {
    case 429:
      return bearable(result.success, now)
    case 502:
    case 503:
    case 504:
      return bearable(result.success, now) ?? 0
    default:
      return undefined
  }
}

/** The `Retry-After` of an answer (seconds or an HTTP date) in milliseconds from `now`, where it is worth waiting for. */
const bearable = ({ headers }: UpstreamResponse, now: number): number | undefined => {
  const value = headers["retry-after"]
  if (value === undefined) return undefined
  const wait = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Option.match(DateTime.make(value), {
      onNone: () => Infinity,
      onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - now)
    })
  return wait <= MAX_WAIT ? wait : undefined
}

/** At most two more tries, after about 100 and 200 ms, or as long as the upstream asked for. */
export const retries = Schedule.exponential("100 millis").pipe(
  Schedule.jittered,
  Schedule.setInputType<Outcome>(),
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.max(duration, Duration.millis(input.wait ?? 0)))
  ),
  Schedule.while(({ attempt, input }) => Effect.succeed(attempt <= 2 && input.wait !== undefined)),
  Schedule.passthrough
)
