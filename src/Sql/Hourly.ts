import { Effect, Schedule } from "effect"

/** Sweeps at once and then every hour, for as long as the scope is open; a failure is a warning that says `complaint`. */
export const hourly = <A, E, R>(sweep: Effect.Effect<A, E, R>, complaint: string) =>
  sweep.pipe(
    Effect.catch((error) => Effect.logWarning(complaint, error)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
