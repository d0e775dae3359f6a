import { Clock, Effect } from "effect"

/** Runs an effect at a fixed time. Nobody wakes up: a service built in it does at once what it does, and then nothing. */
export const at = (millis: number) => {
  const nanos = BigInt(millis) * 1_000_000n
  return Effect.provideService(Clock.Clock, {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.succeed(millis),
    currentTimeNanosUnsafe: () => nanos,
    currentTimeNanos: Effect.succeed(nanos),
    monotonicTimeNanosUnsafe: () => nanos,
    monotonicTimeNanos: Effect.succeed(nanos),
    sleep: () => Effect.never
  })
}
