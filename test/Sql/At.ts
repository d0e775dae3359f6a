import { Clock, Effect } from "effect"
import type { DatabaseTime } from "../../src/Sql/Client/DatabaseTime.ts"

/** The database's time follows the clock of the test. */
export const testTime: (typeof DatabaseTime)["Service"] = (sql, clock) => sql`${clock}::timestamptz`

export const clockAt = (millis: () => number, sleep: Clock.Clock["sleep"] = () => Effect.never): Clock.Clock => {
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep
  }
}

/** Sleeps never end, so a service built in it runs its periodic work once. */
export const at = (millis: number) => Effect.provideService(Clock.Clock, clockAt(() => millis))
