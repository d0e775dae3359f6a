import { Effect, Schedule } from "effect"

/** Polls an effect until its value satisfies `until`, for at least a minute, and fails the test if it never does. */
export const eventually = <A, E, R>(effect: Effect.Effect<A, E, R>, until: (value: A) => boolean) =>
  Effect.repeat(effect, { until, schedule: Schedule.spaced("10 millis"), times: 6000 }).pipe(
    Effect.tap((value) => until(value) ? Effect.void : Effect.die(new Error("What the test waits for never comes")))
  )
