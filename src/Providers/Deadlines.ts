import { Clock, Effect, FiberHandle } from "effect"

interface Pending {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Gone once it is met: a set's old tables may outlive the set's entries by far, and keep alive what these hold. */
  expire: (() => void) | undefined
}

/**
 * Deadlines of many things at once, on one sleeping fiber: most are met, and a timer with fibers of its own would cost
 * an exchange more than sending it. `watch` calls `expire` at `at`, unless what it returns is called before.
 */
export const makeDeadlines = Effect.gen(function*() {
  const pending = new Set<Pending>()
  const sleeper = yield* FiberHandle.make()
  const replaceSleeper = yield* FiberHandle.runtime(sleeper)()
  let wakesAt = Infinity

  const sleepUntil = (at: number) => {
    wakesAt = at
    replaceSleeper(Clock.currentTimeMillis.pipe(
      Effect.flatMap((now) => Effect.sleep(Math.max(0, at - now))),
      Effect.andThen(Clock.currentTimeMillis),
      Effect.map(sweep)
    ))
  }

  const sweep = (now: number) => {
    let next = Infinity
    for (const deadline of pending) {
      if (deadline.at > now) {
        next = Math.min(next, deadline.at)
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
      const deadline: Pending = { at, expire }
      pending.add(deadline)
      if (at < wakesAt) sleepUntil(at)
      return () => {
        deadline.expire = undefined
        pending.delete(deadline)
      }
    }
  }
})
