import { Deferred, Effect, Exit, FiberSet } from "effect"
import { isUnavailable } from "./DatabaseUnavailable.ts"

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

/** After so many statements with a single item, one after the other, the next ones wait for no company. */
const solitary = 8

/**
 * Asks for many items in one statement, and only one statement at a time: what comes while it is under way is asked for
 * together by the next one. However many ask, they occupy one connection of the pool. `ask` returns what came of each
 * item, in their order.
 */
export const makeBatcher = Effect.fnUntraced(function*<A, B, E>(
  ask: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>, E>,
  { largest = Infinity, patience = 0 }: Options = {}
) {
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const waiting: Array<Waiting<A, B, E>> = []
  let isAsking = false
  let singles = 0

  const together = Effect.fnUntraced(function*(batch: ReadonlyArray<Waiting<A, B, E>>) {
    const exit = yield* Effect.exit(Effect.suspend(() => ask(batch.map(({ item }) => item))))
    if (Exit.isSuccess(exit)) {
      for (const [index, answer] of exit.value.entries()) {
        const one = batch[index]
        if (one !== undefined) Deferred.doneUnsafe(one.answer, answer)
      }
      return
    }
    // Those who came meanwhile do not wait as long again, for the same failure.
    const others = isUnavailable(exit.cause) ? waiting.splice(0) : []
    for (const { answer } of [...batch, ...others]) Deferred.doneUnsafe(answer, Exit.failCause(exit.cause))
  })

  const gather = Effect.gen(function*() {
    let gathered = 0
    for (let turn = 0; turn < patience && gathered < waiting.length && waiting.length < largest; turn++) {
      gathered = waiting.length
      yield* Effect.yieldNow
    }
  })

  const askAll = Effect.gen(function*() {
    while (waiting.length > 0) {
      if (singles < solitary) yield* gather
      const batch = waiting.splice(0, largest)
      singles = batch.length === 1 ? singles + 1 : 0
      yield* together(batch)
    }
    isAsking = false
  })

  return (item: A): Effect.Effect<B, E> =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<B, E>()
      waiting.push({ item, answer })
      if (!isAsking) {
        isAsking = true
        fork(askAll)
      }
      return Deferred.await(answer)
    })
})
