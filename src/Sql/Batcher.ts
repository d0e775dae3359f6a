import { Cause, Deferred, Effect, Exit, FiberSet } from "effect"
import { SqlError } from "effect/sql/SqlError"

interface Pending<A, B, E> {
  readonly item: A
  readonly result: Deferred.Deferred<B, E>
}

interface BatchOptions<A> {
  readonly maxSize?: number
  readonly lingerTurns?: number
  /** Whether a batch counts as single. After eight single ones in a row, the next does not wait for more items. */
  readonly isSingle?: (items: ReadonlyArray<A>) => boolean
  /** Always waits for the end of the turn, so that a fiber that adds several items gets them in one batch. */
  readonly joinsTurn?: boolean
}

const maxLingeringSingleBatches = 8

/** Runs one batch of concurrent items at a time. `runBatch` returns a result for each item, in the same order. */
export const makeBatcher = Effect.fnUntraced(function* makeBatcher<A, B, E>(
  runBatch: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>, E>,
  options: BatchOptions<A> = {}
) {
  const { isSingle = ({ length }) => length === 1, joinsTurn = false, lingerTurns = 0, maxSize = Infinity } = options
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const queue: Array<Pending<A, B, E>> = []
  let isRunning = false
  let singleBatches = 0

  const run = Effect.fnUntraced(function* run(batch: ReadonlyArray<Pending<A, B, E>>, items: ReadonlyArray<A>) {
    const exit = yield* Effect.exit(Effect.suspend(() => runBatch(items)))
    if (Exit.isSuccess(exit)) {
      for (const [index, result] of exit.value.entries()) {
        const pending = batch[index]
        if (pending !== undefined) Deferred.doneUnsafe(pending.result, result)
      }
      return
    }
    // Queued items fail immediately, because the next batch would time out too.
    const queued = isUnavailable(exit.cause) ? queue.splice(0) : []
    for (const { result } of [...batch, ...queued]) Deferred.doneUnsafe(result, Exit.failCause(exit.cause))
  })

  const linger = Effect.gen(function*() {
    let size = 0
    for (let turn = 0; turn < lingerTurns && size < queue.length && queue.length < maxSize; turn++) {
      size = queue.length
      yield* Effect.yieldNow
    }
  })

  const drain = Effect.gen(function*() {
    while (queue.length > 0) {
      if (lingerTurns > 0 && singleBatches < maxLingeringSingleBatches) yield* linger
      else if (joinsTurn) yield* Effect.yieldNow
      const batch = queue.splice(0, maxSize)
      const items = batch.map(({ item }) => item)
      singleBatches = isSingle(items) ? singleBatches + 1 : 0
      yield* run(batch, items)
    }
    isRunning = false
  })

  return (item: A): Effect.Effect<B, E> =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<B, E>()
      queue.push({ item, result })
      if (!isRunning) {
        isRunning = true
        fork(drain)
      }
      return Deferred.await(result)
    })
})

/**
 * Writes concurrent items in one commit. If a batch fails, writes its items one by one, so that only an invalid item
 * fails.
 */
export const groupCommit = Effect.fnUntraced(function* groupCommit<A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>,
  options: Pick<BatchOptions<A>, "isSingle" | "joinsTurn"> = {}
) {
  const writeBatch = (items: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<Exit.Exit<void, E>>, E> =>
    Effect.matchCauseEffect(write(items), {
      onSuccess: () => Effect.succeed(items.map(() => Exit.void)),
      onFailure: (cause) =>
        items.length === 1 || isUnavailable(cause)
          ? Effect.failCause(cause)
          : Effect.forEach(items, (item) => Effect.exit(Effect.asVoid(write([item]))))
    })

  return yield* makeBatcher(writeBatch, { maxSize: 128, lingerTurns: 6, ...options })
})

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const unavailableSqlStateClasses = ["08", "25", "53", "57", "58"]

const isUnavailable = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (!(error instanceof SqlError)) return false
  switch (error.reason._tag) {
    case "ConnectionError":
    case "LockTimeoutError":
    case "StatementTimeoutError":
      return true
  }
  const { cause: reason } = error.reason
  return reason instanceof Error && "code" in reason &&
    unavailableSqlStateClasses.includes(`${reason.code}`.slice(0, 2))
}
