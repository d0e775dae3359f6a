import { Clock, Effect, FiberHandle } from "effect"

interface Pending {
  /** Milliseconds of a clock that nobody sets. */
  readonly due: number
  expire: (() => void) | undefined
}

/**
 * Deadlines of many things at once, on one sleeping fiber: most are met, and a timer with fibers of its own would cost
 * an exchange more than sending it. `watch` calls `expire` at `at`, in milliseconds since the epoch as of now, unless
 * what it returns is called before.
 */
export const makeDeadlines = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const pending = new Set<Pending>()
  const sleeper = yield* FiberHandle.make()
  const replaceSleeper = yield* FiberHandle.runtime(sleeper)()
  let wakesAt = Infinity

  const monotonic = () => Number(clock.currentTimeNanosUnsafe()) / 1e6

  const sleepUntil = (due: number) => {
    wakesAt = due
    // Not before the sleeper is in its place, which the sweep may give to the next one.
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

  return {
    watch: (at: number, expire: () => void): () => void => {
      const deadline: Pending = { due: monotonic() + at - clock.currentTimeMillisUnsafe(), expire }
      pending.add(deadline)
      if (deadline.due < wakesAt) sleepUntil(deadline.due)
      return () => {
        // The set may hold on to it until the next full garbage collection, and it to the whole exchange.
        deadline.expire = undefined
        pending.delete(deadline)
      }
    }
  }
})
