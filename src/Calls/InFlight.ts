import { Duration, Effect, Fiber, FiberSet } from "effect"

/** Time for calls in flight to finish on shutdown (contract section 1). */
const shutdownTimeout = Duration.seconds(30)

export const makeInFlight = Effect.gen(function*() {
  // A fiber set, because a scope would retain what each call began with until the next full garbage collection.
  const running = yield* FiberSet.make<unknown, unknown>()
  // Runs before the finalizer of the set, which interrupts the calls that are left.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(running), shutdownTimeout))

  const fork = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Fiber.Fiber<A, E>, never, R> =>
    FiberSet.run(running, effect)

  /** A call continues when its caller goes away, unless `onHangUp` returns true. */
  const run = <A, E, R>(call: Effect.Effect<A, E, R>, onHangUp: () => boolean = () => false): Effect.Effect<A, E, R> =>
    Effect.flatMap(
      fork(call),
      (fiber) =>
        Effect.onInterrupt(Fiber.join(fiber), () =>
          Effect.sync(() => {
            if (onHangUp()) fiber.interruptUnsafe()
          }))
    )

  return { fork, run }
})
