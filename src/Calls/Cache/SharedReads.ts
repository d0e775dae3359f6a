import { Clock, Deferred, Effect } from "effect"

interface InFlight<A, E> {
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly result: Deferred.Deferred<A, E>
}

/**
 * Identical reads in flight share one request. The first sends it with `run`, the others wait for its result. A caller
 * does not join an outdated read, which began before a write.
 */
export const makeSharedReads = <A, E>(run: (read: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  const inFlight = new Map<string, InFlight<A, E>>()

  const lead = Effect.fnUntraced(function*(key: string, read: Effect.Effect<A, E>) {
    const own: InFlight<A, E> = { startedAt: yield* Clock.currentTimeMillis, result: Deferred.makeUnsafe() }
    inFlight.set(key, own)
    const result = yield* run(Effect.onExit(read, (exit) => {
      forget(key, own)
      return Deferred.done(own.result, exit)
    }))
    return [result, false] as const
  })

  const forget = (key: string, read: InFlight<A, E>) => {
    if (inFlight.get(key) === read) inFlight.delete(key)
  }

  const share = (
    key: string,
    read: Effect.Effect<A, E>,
    isOutdated: (startedAt: number) => Effect.Effect<boolean>
  ): Effect.Effect<readonly [result: A, shared: boolean], E> =>
    Effect.suspend(() => {
      const other = inFlight.get(key)
      if (other === undefined) return lead(key, read)
      return Effect.flatMap(isOutdated(other.startedAt), (outdated) => {
        if (!outdated) return Effect.map(Deferred.await(other.result), (result) => [result, true] as const)
        forget(key, other)
        return share(key, read, isOutdated)
      })
    })

  return share
}
