import { Effect } from "effect"

/** One request may hold the event loop for 200 ms. Tests allow more, for busy machines. */
export const maxHoldMillis = 1000

/**
 * The longest CPU time in milliseconds that this thread spent without returning to its event loop while the effect ran.
 * CPU time excludes other processes.
 */
export const longestHold = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function*() {
    let longest = 0
    yield* Effect.promise(nextTurn)
    let before = cpuMillis()
    const timer = setInterval(() => {
      const now = cpuMillis()
      longest = Math.max(longest, now - before)
      before = now
    }, 1)
    yield* Effect.andThen(effect, Effect.promise(nextTurn)).pipe(
      Effect.ensuring(Effect.sync(() => clearInterval(timer)))
    )
    return Math.max(longest, cpuMillis() - before)
  })

export const cpuMillis = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5))
