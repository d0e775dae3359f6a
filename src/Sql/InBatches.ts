import { Deferred, Effect, Exit, Queue } from "effect"
import { isUnavailable } from "./Unavailable.ts"

interface Waiting<A, B, E> {
  readonly item: A
  readonly answer: Deferred.Deferred<B, E>
}

interface Options {
  /** How many items a statement has at most. */
  readonly largest?: number
  /**
   * For how many turns of the event loop a statement waits for more items: under load every turn brings some, and when
   * one brings none it waits no longer.
   */
  readonly patience?: number
}

/**
 * Asks for many items in one statement, and only one statement at a time: what comes while it is under way is asked for
 * together by the next one. However many ask, they occupy one connection of the pool. `ask` returns what came of each
 * item, in their order.
 */
export const inBatches = Effect.fnUntraced(function*<A, B, E>(
  ask: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>, E>,
  { largest = Infinity, patience = 0 }: Options = {}
) {
  const queue = yield* Queue.unbounded<Waiting<A, B, E>>()

  const together = Effect.fnUntraced(function*(waiting: ReadonlyArray<Waiting<A, B, E>>) {
    const exit = yield* Effect.exit(Effect.suspend(() => ask(waiting.map(({ item }) => item))))
    if (Exit.isSuccess(exit)) {
      for (const [index, answer] of exit.value.entries()) {
        const one = waiting[index]
        if (one !== undefined) Deferred.doneUnsafe(one.answer, answer)
      }
      return
    }
    // Those who came meanwhile do not wait as long again, for the same failure.
    const others = isUnavailable(exit.cause) ? yield* Queue.clear(queue) : []
    for (const { answer } of [...waiting, ...others]) Deferred.doneUnsafe(answer, Exit.failCause(exit.cause))
  })

  const gather = Effect.gen(function*() {
    yield* Queue.peek(queue)
    let gathered = 0
    for (let turn = 0; turn < patience; turn++) {
      const size = Queue.sizeUnsafe(queue)
      if (size === gathered || size >= largest) break
      gathered = size
      yield* Effect.yieldNow
    }
    return yield* Queue.takeBetween(queue, 1, largest)
  })

  yield* gather.pipe(Effect.flatMap(together), Effect.forever, Effect.forkScoped)

  return (item: A): Effect.Effect<B, E> =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<B, E>()
      Queue.offerUnsafe(queue, { item, answer })
      return Deferred.await(answer)
    })
})
