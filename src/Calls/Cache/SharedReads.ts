import { Clock, Deferred, Effect, Exit, type Fiber, FiberSet, Scope } from "effect"
import type { Share } from "../../Capacity/Capacity.ts"

interface SharedRead<A, E> {
  /** Closes when the calls of all callers have ended, because each has the result until then. */
  readonly scope: Scope.Closeable
  callers: number
  readonly startedAt: number
  readonly result: Deferred.Deferred<A, E>
  waiting: number
  fiber?: Fiber.Fiber<boolean>
}

type Read<A, E> = (share: Share) => Effect.Effect<A, E>

/**
 * Identical reads in flight share one request, which is interrupted when its last caller leaves. A caller does not join
 * a read that began before a write. `concernsAll` is false for an error that concerns only the caller who began the
 * read: the others then read for themselves.
 */
export const makeSharedReads = Effect.fnUntraced(function* makeSharedReads<A, E>(concernsAll: (error: E) => boolean) {
  const running = yield* FiberSet.make<boolean>()
  const inFlight = new Map<string, SharedRead<A, E>>()

  const lead = Effect.fnUntraced(function* leadRead(key: string, read: Read<A, E>, share: Share) {
    const startedAt = yield* Clock.currentTimeMillis
    const scope = Scope.makeUnsafe()
    const own: SharedRead<A, E> = { scope, callers: 0, startedAt, result: Deferred.makeUnsafe(), waiting: 0 }
    inFlight.set(key, own)
    const reading = Effect.onExit(read(share.within(scope)), () => Effect.sync(() => forget(key, own)))
    // Ended fibers stay in memory until the next full garbage collection, so they must not hold the result.
    own.fiber = yield* FiberSet.run(running, Deferred.into(reading, own.result))
    return [yield* join(key, own, share), false] as const
  }, Effect.uninterruptible)

  const join = (key: string, read: SharedRead<A, E>, { scope }: Share): Effect.Effect<A, E> =>
    Effect.uninterruptible(Effect.suspend(() => {
      read.waiting++
      read.callers++
      const endCall = Effect.suspend(() => --read.callers > 0 ? Effect.void : Scope.close(read.scope, Exit.void))
      const result = Effect.onInterrupt(Effect.interruptible(Deferred.await(read.result)), () =>
        Effect.sync(() => {
          if (--read.waiting > 0) return
          forget(key, read)
          read.fiber?.interruptUnsafe()
        }))
      return Effect.andThen(Scope.addFinalizer(scope, endCall), result)
    }))

  const forget = (key: string, read: SharedRead<A, E>) => {
    if (inFlight.get(key) === read) inFlight.delete(key)
  }

  const readShared = (
    key: string,
    read: Read<A, E>,
    share: Share,
    isOutdated: (startedAt: number) => Effect.Effect<boolean>
  ): Effect.Effect<readonly [result: A, shared: boolean], E> =>
    Effect.suspend(() => {
      const other = inFlight.get(key)
      if (other === undefined) return lead(key, read, share)
      return Effect.flatMap(isOutdated(other.startedAt), (outdated) => {
        const readAnew = () => readShared(key, read, share, isOutdated)
        if (!outdated) {
          return join(key, other, share).pipe(
            Effect.map((result) => [result, true] as const),
            Effect.catchIf((error) => !concernsAll(error), readAnew)
          )
        }
        forget(key, other)
        return readAnew()
      })
    })

  return readShared
})
