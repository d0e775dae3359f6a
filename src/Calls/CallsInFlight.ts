import { Duration, Effect, Fiber } from "effect"

/** A service that stops interrupts calls that take longer. */
const shutdownTimeout = Duration.seconds(30)

/** After this many calls in a row that ran alone, calls do not wait for others between their stages. */
const maxAlone = 8

/** Keeps the service from ending before its calls do. */
export const makeCallsInFlight = Effect.gen(function*() {
  const calls = new Set<Fiber.Fiber<unknown, unknown>>()
  let callsAlone = 0
  let onLastCall: (() => void) | undefined

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

  return {
    run: <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiber((fiber) => {
        calls.add(fiber)
        callsAlone = calls.size === 1 ? callsAlone + 1 : 0
        const end = () => {
          calls.delete(fiber)
          if (calls.size === 0) onLastCall?.()
          return undefined
        }
        return Effect.onExitPrimitive(Effect.uninterruptible(call), end)
      }),

    /**
     * Lets calls that arrive together take each stage together, while its code is in the processor's caches. Without
     * it, a small read takes 28 % more CPU, and a write 9 % (`npm run bench -- --only small --only write`). The first
     * call waits too: otherwise it would take a statement of its own, and a write 15 % more CPU.
     */
    betweenStages: Effect.suspend(() => callsAlone < maxAlone ? Effect.yieldNow : Effect.void)
  }
})

export type CallsInFlight = Effect.Success<typeof makeCallsInFlight>
