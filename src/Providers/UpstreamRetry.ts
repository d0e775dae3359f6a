import { DateTime, Duration, Effect, Option, Result, Schedule } from "effect"
import type { Answer, Unanswered } from "./UpstreamAnswer.ts"

/** What came of one try, and how long to wait, in milliseconds and at least, before another; absent where none is due. */
export interface Outcome {
  readonly result: Result.Result<Answer, Unanswered>
  readonly wait: number | undefined
}

const MAX_WAIT = 2000

/** What is worth another try (section 7 of the contract); `now` in epoch milliseconds. */
export const outcomeOf = (result: Outcome["result"], now: number): Outcome => ({ result, wait: waitAfter(result, now) })

const waitAfter = (result: Outcome["result"], now: number): number | undefined => {
  if (Result.isFailure(result)) return result.failure.connectFailed ? 0 : undefined
  const { headers, status } = result.success
  const asked = retryAfter(headers["retry-after"] ?? "", now)
  const bearable = asked !== undefined && asked <= MAX_WAIT ? asked : undefined
  switch (status) {
    case 429:
      return bearable
    case 502:
    case 503:
    case 504:
      return bearable ?? 0
    default:
      return undefined
  }
}

/** Seconds or an HTTP date, as milliseconds from `now`. */
const retryAfter = (value: string, now: number): number | undefined =>
  /^\d+$/.test(value)
    ? Number(value) * 1000
    : Option.getOrUndefined(
      Option.map(DateTime.make(value), (date) => Math.max(0, DateTime.toEpochMillis(date) - now))
    )

/** At most two more tries, after about 100 and 200 ms, or as long as the upstream asked for. */
export const again = {
  while: ({ wait }: Outcome) => wait !== undefined,
  times: 2,
  schedule: Schedule.exponential("100 millis").pipe(
    Schedule.jittered,
    Schedule.setInputType<Outcome>(),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.succeed(Duration.max(duration, Duration.millis(input.wait ?? 0)))
    )
  )
}
