import { Duration, Effect, Fiber, Latch, Scope } from "effect"

/** What calls in flight are given to finish on shutdown (section 1 of the contract). */
const patience = Duration.seconds(30)

/**
 * Runs calls on their own: a caller that goes away does not take its call along. The scope at hand does not close before
 * they are done, or `patience` has passed, nor does the one that it returns for what they start.
 */
export const makeInFlight = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const idle = Latch.makeUnsafe(true)
  let running = 0
  yield* Effect.addFinalizer((exit) =>
    idle.await.pipe(Effect.timeoutOption(patience), Effect.andThen(Scope.close(scope, exit)))
  )

  const counted = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      if (running++ === 0) idle.closeUnsafe()
      return Effect.onExitPrimitive(call, () => {
        if (--running === 0) idle.openUnsafe()
        return undefined
      })
    })

  const run = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.forkIn(counted(call), scope, { startImmediately: true }), Fiber.join)

  return { run, scope }
})
