import { Deferred, Duration, Effect, FiberSet } from "effect"

/** What calls in flight are given to finish on shutdown (section 1 of the contract). */
const patience = Duration.seconds(30)

/**
 * Runs calls on their own: a caller that goes away does not take its call along. The scope at hand does not close before
 * they are done, or `patience` has passed.
 */
export const makeInFlight = Effect.gen(function*() {
  // In a set, not in the scope, and with no more of a result than whether somebody was told: what is taken out of a
  // collection that has grown old stays in memory until the next full garbage collection, and a scope would keep all that
  // a call began with.
  const running = yield* FiberSet.make<boolean>()
  // Before the end of the set, which interrupts what is left in it.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(running), patience))

  const run = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<A, E>()
      return Effect.andThen(FiberSet.run(running, Deferred.into(call, result)), Deferred.await(result))
    })

  return { run }
})
