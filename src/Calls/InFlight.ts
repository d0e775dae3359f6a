import { Deferred, Duration, Effect, FiberSet, Scope } from "effect"

/** What calls in flight are given to finish on shutdown (section 1 of the contract). */
const patience = Duration.seconds(30)

/**
 * Runs calls on their own: a caller that goes away does not take its call along. The scope at hand does not close before
 * they and what they `fork` are done, or `patience` has passed.
 */
export const makeInFlight = Effect.gen(function*() {
  const scope = yield* Scope.make()
  const running = yield* Scope.provide(FiberSet.make<void>(), scope)
  yield* Effect.addFinalizer((exit) =>
    FiberSet.awaitEmpty(running).pipe(Effect.timeoutOption(patience), Effect.andThen(Scope.close(scope, exit)))
  )

  /**
   * In a set of its own, not in the scope, and without a result: what is taken out of a collection that has grown old
   * stays in memory until the next full garbage collection, and a scope would keep all that the call began with.
   */
  const fork = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.asVoid(FiberSet.run(running, Effect.ignoreCause(effect)))

  const run = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<A, E>()
      return Effect.andThen(fork(Deferred.into(call, result)), Deferred.await(result))
    })

  return { fork, run }
})
