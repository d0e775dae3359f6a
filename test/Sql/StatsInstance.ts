import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { rollUp } from "../../src/Calls/Log/Stats/StatsRollUp.ts"
import type { Viewer } from "../../src/Domain/Access/Principal.ts"
import type { CallEntry } from "../../src/Domain/Calls/Call.ts"
import type { StatsRequest } from "../../src/Domain/Calls/Stats.ts"
import { CallId } from "../../src/Domain/Ids.ts"
import { idMillis, newId } from "../../src/Domain/NewId.ts"
import { at } from "./At.ts"
import { fresh } from "./OtherInstance.ts"
import { StoredLog } from "./StoredLog.ts"

export const hour = 3_600_000
export const day = 24 * hour

/** Other tests log calls in the days around the start of the clock. */
export const away = 400 * day

export const idAt = (millis: number) => Effect.map(newId("call").pipe(at(millis)), (id) => CallId.make(id))

/** Time that a test moves. Sleeps are real, and `longest` at most. */
export const withTime = (now: () => number, longest?: Duration.Duration) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TestClock.withLive(Clock.Clock), (clock) =>
    Effect.provideService(effect, Clock.Clock, {
      sleep: (duration) => clock.sleep(longest === undefined ? duration : Duration.min(duration, longest)),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    }))

export const instance = Effect.fnUntraced(function*(now: number, hours: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM call_stats`
  yield* sql`DELETE FROM late_calls`
  yield* sql`UPDATE call_stats_progress SET counted_until = ${new Date(Math.floor(now / hour) * hour - hours * hour)}`
  // Creates the partitions of the days before.
  for (const days of [2, 0]) yield* Layer.build(Layer.fresh(StoredLog)).pipe(at(now - days * day))
  const log = yield* fresh(CallLog, StoredLog).pipe(at(now - (hours + 1) * hour))
  const countedUntil = Effect.map(
    sql<{ readonly millis: number }>`
      SELECT extract(epoch FROM counted_until)::double precision * 1000 AS millis FROM call_stats_progress`,
    ([progress]) => progress?.millis ?? 0
  )
  /** Again while another fiber counts, which skips this one. */
  const countAt = (millis: number) =>
    Effect.repeat(Effect.andThen(rollUp.pipe(withTime(() => millis)), countedUntil), {
      until: (counted) => counted > millis - hour - 5 * 60_000
    })
  return {
    append: (call: CallEntry) => log.append(call).pipe(at(idMillis(call.id) + 1000)),
    appendLate: (call: CallEntry, afterMillis: number) => log.append(call).pipe(at(idMillis(call.id) + afterMillis)),
    count: countAt(now),
    countAt,
    countedUntil,
    read: (viewer: Viewer, request: Partial<StatsRequest> = {}) =>
      log.stats(viewer, { since: new Date(now - 7 * day), until: new Date(now), bucket: "day", ...request }),
    list: (...query: Parameters<CallLog["Service"]["list"]>) => log.list(...query).pipe(at(now))
  }
})
