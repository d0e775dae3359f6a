import { Clock, Deferred, Effect, type Fiber } from "effect"
import type { CallBytes } from "../../Capacity/CallBytes.ts"
import type { InFlight } from "./InFlight.ts"

interface SharedRead<A, E> {
  readonly bytes: CallBytes
  readonly startedAt: number
  readonly result: Deferred.Deferred<A, E>
  waiting: number
  fiber?: Fiber.Fiber<boolean>
}

/**
 * Identical reads in flight share one request, which is interrupted when its last caller leaves. A caller does not join
 * a read that began before a write.
 */
export const makeSharedReads = <A, E>(fork: InFlight["fork"]) => {
  const inFlight = new Map<string, SharedRead<A, E>>()

  const lead = Effect.fnUntraced(function*(key: string, read: Effect.Effect<A, E>, bytes: CallBytes) {
    const startedAt = yield* Clock.currentTimeMillis
    const own: SharedRead<A, E> = { bytes, startedAt, result: Deferred.makeUnsafe(), waiting: 0 }
    inFlight.set(key, own)
    own.fiber = yield* fork(Effect.onExit(read, () => Effect.sync(() => forget(key, own))), own.result)
    return [yield* join(key, own), false] as const
  })

  const join = (key: string, read: SharedRead<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      read.waiting++
      return Effect.onInterrupt(Deferred.await(read.result), () =>
        Effect.sync(() => {
          if (--read.waiting > 0) return
          forget(key, read)
          read.fiber?.interruptUnsafe()
        }))
    })

  const forget = (key: string, read: SharedRead<A, E>) => {
    if (inFlight.get(key) === read) inFlight.delete(key)
  }

  const share = (
    key: string,
    read: Effect.Effect<A, E>,
    bytes: CallBytes,
    isOutdated: (startedAt: number) => Effect.Effect<boolean>
  ): Effect.Effect<readonly [result: A, shared: boolean], E> =>
    Effect.suspend(() => {
      const other = inFlight.get(key)
      if (other === undefined) return lead(key, read, bytes)
      return Effect.flatMap(isOutdated(other.startedAt), (outdated) => {
        if (!outdated) {
          bytes.retain(other.bytes)
          return Effect.map(join(key, other), (result) => [result, true] as const)
        }
        forget(key, other)
        return share(key, read, bytes, isOutdated)
      })
    })

  return share
}
