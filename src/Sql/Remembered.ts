import { Cache, Duration, Effect, Exit, Option } from "effect"
import { type Change, Changes } from "./Changes.ts"

/**
 * How long an instance that does not hear of a change may still go by what was before: the contract allows a revoked
 * key one second.
 */
const staleness = Duration.millis(500)

/**
 * What the database has under a key, remembered for a moment: until it changes, as far as that is heard of, and half a
 * second at most. What is not there is looked for again each time.
 */
export const remembered = Effect.fnUntraced(function*<Key, A, E>(
  tables: ReadonlyArray<Change["table"]>,
  find: (key: Key) => Effect.Effect<Option.Option<A>, E>
) {
  const changes = yield* Changes
  const found = yield* Cache.makeWith(find, {
    capacity: 10_000,
    timeToLive: (exit) => Exit.isSuccess(exit) && Option.isSome(exit.value) ? staleness : Duration.zero
  })
  yield* changes.subscribe((change) => {
    if (change === undefined || tables.includes(change.table)) Effect.runSync(Cache.invalidateAll(found))
  })
  return (key: Key) => Cache.get(found, key)
})
