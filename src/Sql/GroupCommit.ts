import { Effect, Exit } from "effect"
import { makeBatcher } from "./Batcher.ts"
import { isUnavailable } from "./DatabaseUnavailable.ts"

/** How many are written together at most: what one statement takes without a pause that others would feel. */
const largest = 128

/** For how many turns of the event loop a write waits for company. */
const patience = 6

/**
 * Writes what comes together in one statement and one commit; returns when the item is committed. An item that cannot
 * be written does not take the others along.
 */
export const groupCommit = Effect.fnUntraced(function*<A, E>(
  write: (items: ReadonlyArray<A>) => Effect.Effect<unknown, E>
) {
  const each = (items: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<Exit.Exit<void, E>>, E> =>
    Effect.matchCauseEffect(write(items), {
      onSuccess: () => Effect.succeed(items.map(() => Exit.void)),
      onFailure: (cause) =>
        items.length === 1 || isUnavailable(cause)
          ? Effect.failCause(cause)
          : Effect.forEach(items, (item) => Effect.exit(Effect.asVoid(write([item]))))
    })

  return yield* makeBatcher(each, { largest, patience })
})
