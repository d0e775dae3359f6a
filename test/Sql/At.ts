import { Clock, Effect } from "effect"
import type { DatabaseTime } from "../../src/Sql/Client/DatabaseTime.ts"

/** The database's time follows the clock of the test. */
export const testTime: (typeof DatabaseTime)["Service"] = (sql, clock) => sql`${clock}::timestamptz`

/** Sleeps never end, so a service built in it runs its periodic work once. */
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
