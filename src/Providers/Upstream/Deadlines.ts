import { Clock, Effect, Fiber, FiberHandle } from "effect"

interface Pending {
  /** Monotonic milliseconds. */
  readonly due: number
  expire: (() => void) | undefined
}

export interface Deadline<E> {
  /** Epoch milliseconds. */
  readonly at: number
  readonly orElse: () => Effect.Effect<never, E>
}

/** `Effect.timeoutOrElse` for many effects at once: their deadlines share one sleeping fiber. */
export const makeDeadlines = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const pending = new Set<Pending>()
  const sleeper = yield* FiberHandle.make()
  const replaceSleeper = yield* FiberHandle.runtime(sleeper)()
  let wakesAt = Infinity

  const monotonic = () => Number(clock.currentTimeNanosUnsafe()) / 1e6

  const sleepUntil = (due: number) => {
    wakesAt = due
    // Yields first: a sweep that starts before the handle holds this fiber could not replace it.
    replaceSleeper(Effect.yieldNow.pipe(
      Effect.andThen(Effect.suspend(() => {
        const wait = Math.ceil(due - monotonic())
        return wait > 0 ? Effect.sleep(wait) : Effect.void
      })),
      Effect.andThen(Effect.sync(sweep))
    ))
  }

  const sweep = () => {
    const now = monotonic()
    let next = Infinity
    for (const deadline of pending) {
      if (deadline.due > now) {
        next = Math.min(next, deadline.due)
      } else {
        pending.delete(deadline)
        deadline.expire?.()
      }
    }
    if (next === Infinity) wakesAt = next
    else sleepUntil(next)
  }

  /** Calls `expire` at `at`, in epoch milliseconds, unless the returned function is called first. */
  const watch = (at: number, expire: () => void): () => void => {
    const deadline: Pending = { due: monotonic() + at - clock.currentTimeMillisUnsafe(), expire }
    pending.add(deadline)
    if (deadline.due < wakesAt) sleepUntil(deadline.due)
    return () => {
      // A deleted entry of a set can live until the next full garbage collection, and would hold its closure.
      deadline.expire = undefined
      pending.delete(deadline)
    }
  }

  /** Interrupts the effect at its deadline, without waiting for the end of its finalizers. */
  const timeoutAt = <A, E, E2>(effect: Effect.Effect<A, E>, { at, orElse }: Deadline<E2>): Effect.Effect<A, E | E2> =>
    Effect.withFiber((parent) =>
      Effect.callback((resume) => {
        const fiber = Effect.runForkWith(parent.context)(effect)
        const unwatch = watch(at, () => {
          resume(orElse())
          fiber.interruptUnsafe()
        })
        fiber.addObserver((exit) => {
          unwatch()
          resume(exit)
        })
        return Effect.suspend(() => {
          unwatch()
          return Fiber.interrupt(fiber)
        })
      })
    )

  return { watch, timeoutAt }
})
