import { Deferred, Effect, type Scope } from "effect"

interface Waiting {
  readonly turns: number
  readonly served: Deferred.Deferred<void>
}

/**
 * A fair semaphore, first come, first served. With Effect's `Pool` and `Semaphore`, a newcomer can overtake a waiter
 * that has just been woken, which then waits behind all others.
 */
export const makeTurns = (total: number) => {
  let free = total
  const queue = new Set<Waiting>()

  const serve = () => {
    for (const waiting of queue) {
      if (waiting.turns > free) return
      free -= waiting.turns
      queue.delete(waiting)
      // Yields, so that statements that fail at once do not call each other recursively.
      Deferred.doneUnsafe(waiting.served, Effect.yieldNow)
    }
  }

  const giveBack = (turns: number) => {
    free += turns
    serve()
  }

  const takeIfFree = (turns: number): boolean => {
    if (queue.size > 0 || free < turns) return false
    free -= turns
    return true
  }

  const wait = (turns: number, restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const waiting = { turns, served: Deferred.makeUnsafe<void>() }
      queue.add(waiting)
      return Effect.onInterrupt(
        restore(Deferred.await(waiting.served)),
        () => Effect.sync(() => giveBack(queue.delete(waiting) ? 0 : turns))
      )
    })

  return {
    use: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) => {
        const run = Effect.onExit(restore(effect), () => Effect.sync(() => giveBack(1)))
        return takeIfFree(1) ? run : Effect.andThen(wait(1, restore), run)
      }),

    hold: (turns: number): Effect.Effect<void, never, Scope.Scope> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          Effect.suspend(() => takeIfFree(turns) ? Effect.void : wait(turns, restore)),
          Effect.addFinalizer(() => Effect.sync(() => giveBack(turns)))
        )
      )
  }
}
export type Turns = ReturnType<typeof makeTurns>
