import { Duration, Effect, Random } from "effect"

export const retryPeriod = Duration.hours(24)

const maxMillis = Duration.toMillis(Duration.hours(1))

/** Milliseconds until the next attempt: 5 s, doubled after each failure, ±20 %, at most 1 h. */
export const pauseAfter = (attempts: number): Effect.Effect<number> =>
  Effect.map(
    Random.nextBetween(0.8, 1.2),
    (jitter) => Math.round(Math.min(5000 * 2 ** Math.min(attempts - 1, 20) * jitter, maxMillis))
  )
