import { Deferred, Duration, Effect, type Fiber, FiberSet } from "effect"

/** Contract section 1. */
const shutdownTimeout = Duration.seconds(30)

export const makeInFlight = Effect.gen(function*() {
  // A scope would retain the data of each call until the next full garbage collection. The set retains many fibers as
  // long, so their results are elsewhere.
  const running = yield* FiberSet.make<boolean>()
  // Runs before the finalizer of the set, which interrupts the remaining calls.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(running), shutdownTimeout))

  const fork = <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    result: Deferred.Deferred<A, E>
  ): Effect.Effect<Fiber.Fiber<boolean>, never, R> => FiberSet.run(running, Deferred.into(effect, result))

  /** A call continues when its caller disconnects, unless `onHangUp` returns true. */
  const run = <A, E, R>(call: Effect.Effect<A, E, R>, onHangUp: () => boolean = () => false): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<A, E>()
      return Effect.flatMap(
        fork(call, result),
        (fiber) =>
          Effect.onInterrupt(Deferred.await(result), () =>
            Effect.sync(() => {
              if (onHangUp()) fiber.interruptUnsafe()
            }))
      )
    })

  return { fork, run }
})

export type InFlight = Effect.Success<typeof makeInFlight>
