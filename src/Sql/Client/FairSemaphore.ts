import { Deferred, Effect, type Scope } from "effect"

interface Waiting {
  readonly permits: number
  readonly served: Deferred.Deferred<void>
}

/**
 * Serves its waiters first come, first served. With Effect's `Pool` and `Semaphore`, a newcomer can overtake a waiter
 * that has just been woken, which then waits behind all others.
 */
export const makeFairSemaphore = (total: number) => {
  let free = total
  const queue = new Set<Waiting>()

  const serve = () => {
    for (const waiting of queue) {
      if (waiting.permits > free) return
      free -= waiting.permits
      queue.delete(waiting)
      // Yields, so that statements that fail immediately do not call each other recursively.
      Deferred.doneUnsafe(waiting.served, Effect.yieldNow)
    }
  }

  const release = (permits: number) => {
    free += permits
    serve()
  }

  const takeIfFree = (permits: number): boolean => {
    if (queue.size > 0 || free < permits) return false
    free -= permits
    return true
  }

  const wait = (permits: number, restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const waiting = { permits, served: Deferred.makeUnsafe<void>() }
      queue.add(waiting)
      return Effect.onInterrupt(
        restore(Deferred.await(waiting.served)),
        () => Effect.sync(() => release(queue.delete(waiting) ? 0 : permits))
      )
    })

  return {
    use: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) => {
        const run = Effect.onExit(restore(effect), () => Effect.sync(() => release(1)))
        return takeIfFree(1) ? run : Effect.andThen(wait(1, restore), run)
      }),

    hold: (permits: number): Effect.Effect<void, never, Scope.Scope> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          Effect.suspend(() => takeIfFree(permits) ? Effect.void : wait(permits, restore)),
          Effect.addFinalizer(() => Effect.sync(() => release(permits)))
        )
      )
  }
}
