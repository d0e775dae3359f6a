import { Deferred, Effect, type Scope } from "effect"

/**
 * Lets identical reads that are in flight at the same time share one request: the first one makes it, the others wait
 * for its result and are told so. It goes on when those who wait go away.
 */
export const makeSharedReads = <A, E>(scope: Scope.Scope) => {
  const inFlight = new Map<string, Deferred.Deferred<A, E>>()

  return (key: string, read: Effect.Effect<A, E>): Effect.Effect<readonly [result: A, shared: boolean], E> =>
    Effect.suspend((): Effect.Effect<readonly [A, boolean], E> => {
      const other = inFlight.get(key)
      if (other !== undefined) return Effect.map(Deferred.await(other), (result) => [result, true] as const)
      const own = Deferred.makeUnsafe<A, E>()
      inFlight.set(key, own)
      return read.pipe(
        Effect.onExit((exit) => {
          inFlight.delete(key)
          return Deferred.done(own, exit)
        }),
        Effect.forkIn(scope),
        Effect.andThen(Deferred.await(own)),
        Effect.map((result) => [result, false] as const)
      )
    })
}
