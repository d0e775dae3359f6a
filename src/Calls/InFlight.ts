import { Deferred, Duration, Effect, FiberSet } from "effect"

/** Time for calls in flight to finish on shutdown (contract section 1). */
const shutdownTimeout = Duration.seconds(30)

/** Runs each call in its own fiber, so that it finishes when its caller goes away. The scope closes after the calls. */
export const makeInFlight = Effect.gen(function*() {
  // A fiber set, because a scope would retain what each call began with until the next full garbage collection.
  const running = yield* FiberSet.make<boolean>()
  // Runs before the finalizer of the set, which interrupts the calls that are left.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(running), shutdownTimeout))

  const run = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<A, E>()
      return Effect.andThen(FiberSet.run(running, Deferred.into(call, result)), Deferred.await(result))
    })

  return { run }
})
