import { Deferred, Duration, Effect, Fiber, FiberSet } from "effect"

/** A service that stops interrupts calls that take longer. */
const shutdownTimeout = Duration.seconds(30)

/** A caller that has run alone this many times in a row no longer yields between stages. */
const maxAlone = 8

export const makeInFlight = Effect.gen(function*() {
  const calls = new Set<Fiber.Fiber<unknown, unknown>>()
  let callsAlone = 0
  let onLastCall: (() => void) | undefined

  // Fibers that have ended stay in memory until the next full garbage collection, so their results are in `result`. A
  // scope would retain their data as well.
  const running = yield* FiberSet.make<boolean>()
  const fork = <A, E, R>(
    effect: Effect.Effect<A, E, R>,
    result: Deferred.Deferred<A, E>
  ): Effect.Effect<Fiber.Fiber<boolean>, never, R> => FiberSet.run(running, Deferred.into(effect, result))

  const run = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      calls.add(fiber)
      callsAlone = calls.size === 1 ? callsAlone + 1 : 0
      const end = () => {
        calls.delete(fiber)
        if (calls.size === 0) onLastCall?.()
        return undefined
      }
      return Effect.onExitPrimitive(Effect.uninterruptible(call), end)
    })

  /**
   * Lets calls that arrive together take each stage together, while its code is in the processor's caches. With 4 to
   * 128 concurrent calls, an instance then serves 4 to 11 % more calls a second.
   */
  const yieldBetweenStages = Effect.suspend(() => callsAlone < maxAlone ? Effect.yieldNow : Effect.void)

  const lastCall = Effect.callback<void>((resume) => {
    if (calls.size === 0) return resume(Effect.void)
    onLastCall = () => resume(Effect.void)
  })
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.timeoutOption(lastCall, shutdownTimeout),
      Effect.suspend(() => Fiber.interruptAll(calls))
    )
  )

  return { yieldBetweenStages, fork, run }
})

export type InFlight = Effect.Success<typeof makeInFlight>
