import { Duration, Effect } from "effect"

/** An instance that has died is replaced after this time. */
export const leaseDuration = Duration.seconds(10)

const extensionInterval = Duration.seconds(3)

/** Extends a lease until it is interrupted. A failure is logged, and the next extension may succeed. */
export const keepExtending = <E, R>(
  extend: Effect.Effect<unknown, E, R>,
  lease: string
): Effect.Effect<never, never, R> =>
  extend.pipe(
    Effect.catchCause((cause) => Effect.logWarning(`Could not extend the ${lease}`, cause)),
    Effect.delay(extensionInterval),
    Effect.forever
  )
