import { Deferred, Effect, Exit, Queue } from "effect"
import { isUnavailable } from "./Unavailable.ts"

/** How many are written together at most: what one statement takes without a pause that others would feel. */
const largest = 128

/** For how many turns of the event loop a write waits for company. */
const longestGathering = 6

interface Waiting<A, E> {
  readonly item: A
  readonly written: Deferred.Deferred<void, E>
}

/**
 * Writes what comes while another write is under way together, in one statement and one commit; returns when the item
 * is committed. An item that cannot be written does not take the others along.
 */
export const groupCommit = Effect.fnUntraced(function*<A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
) {
  const queue = yield* Queue.unbounded<Waiting<A, E>>()

  const together = Effect.fnUntraced(function*(waiting: ReadonlyArray<Waiting<A, E>>): Effect.fn.Return<void> {
    const exit = yield* Effect.exit(Effect.suspend(() => write(waiting.map(({ item }) => item))))
    if (Exit.isSuccess(exit)) return end(waiting, Exit.void)
    if (isUnavailable(exit.cause)) {
      // Those who came meanwhile do not wait as long again, for the same failure.
      return end([...waiting, ...(yield* Queue.takeBetween(queue, 0, Infinity))], exit)
    }
    if (waiting.length === 1) return end(waiting, exit)
    for (const one of waiting) yield* together([one])
  })

  /** Under load every turn of the event loop brings some more; when there is none, nobody waits for any. */
  const gather = Effect.gen(function*() {
    const waiting = yield* Queue.takeBetween(queue, 1, largest)
    for (let turn = 0; turn < longestGathering && waiting.length < largest; turn++) {
      yield* Effect.yieldNow
      const more = yield* Queue.takeBetween(queue, 0, largest - waiting.length)
      if (more.length === 0) break
      waiting.push(...more)
    }
    return waiting
  })

  yield* gather.pipe(Effect.flatMap(together), Effect.forever, Effect.forkScoped)

  return (item: A): Effect.Effect<void, E> =>
    Effect.suspend(() => {
      const written = Deferred.makeUnsafe<void, E>()
      Queue.offerUnsafe(queue, { item, written })
      return Deferred.await(written)
    })
})

const end = <A, E>(waiting: ReadonlyArray<Waiting<A, E>>, exit: Exit.Exit<void, E>) => {
  for (const { written } of waiting) Deferred.doneUnsafe(written, exit)
}
