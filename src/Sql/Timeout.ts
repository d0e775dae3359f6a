import { Context, Duration, Effect } from "effect"

/** Node ends a longer timer immediately. */
const maxTimerMillis = 2 ** 31 - 1

/**
 * Like `Effect.timeoutOrElse`, without its race of two fibers, which takes 50 Effect steps. A sleeping fiber instead of
 * the timer would cost a small read 5 % more CPU. An interrupted effect ends in the background.
 */
export const timeoutOrElse = <A, E, R, B, E2>(
  effect: Effect.Effect<A, E, R>,
  { duration, orElse }: { readonly duration: Duration.Input; readonly orElse: () => Effect.Effect<B, E2> }
): Effect.Effect<A | B, E | E2, R> =>
  Effect.contextWith((context) =>
    Effect.callback<A | B, E | E2>((resume) => {
      const fiber = Effect.runForkWith(context)(effect)
      const exit = fiber.pollUnsafe()
      if (exit !== undefined) return resume(exit)
      const timer = setTimeout(() => {
        resume(Effect.suspend(orElse))
        fiber.interruptUnsafe()
      }, Math.min(Duration.toMillis(duration), maxTimerMillis))
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
      return Effect.sync(() => fiber.interruptUnsafe())
    })
  )

/** Whether only the server limits how long the statements of a transaction take. */
export const MayTakeLong = Context.Reference<boolean>("openaccounts/Sql/MayTakeLong", { defaultValue: () => false })
