import { Cache, Clock, Duration, Effect, Exit, Option } from "effect"
import { type InvalidatedRow, Invalidation } from "./Invalidation.ts"

/**
 * How long an instance that does not hear of a change may still go by what was before: the contract allows a revoked
 * key one second.
 */
const staleness = Duration.millis(500)

/** How many are remembered at most. */
const capacity = 10_000

interface Memory<A> {
  readonly found: Exit.Exit<Option.Option<A>>
  /** Milliseconds since the epoch. */
  readonly goodUntil: number
}

/**
 * What the database has under a key, remembered for a moment: until it changes, as far as that is heard of, and half a
 * second at most. What is not there is looked for again each time. Keys of one name are the same.
 */
export const cachedLookup = Effect.fnUntraced(function*<Key, A, E>(
  tables: ReadonlyArray<InvalidatedRow["table"]>,
  find: (key: Key) => Effect.Effect<Option.Option<A>, E>,
  nameOf: (key: Key) => string
) {
  const changes = yield* Invalidation
  // A plain map, for every call looks here several times; the cache has those who ask for the same at once ask once.
  let memories = new Map<string, Memory<A>>()

  const look = Effect.fnUntraced(function*(key: Key) {
    const current = memories
    const found = yield* find(key)
    if (Option.isNone(found)) return found
    const goodUntil = (yield* Clock.currentTimeMillis) + Duration.toMillis(staleness)
    if (current.size >= capacity) current.clear()
    // Nobody sees what was found before a change.
    current.set(nameOf(key), { found: Exit.succeed(found), goodUntil })
    return found
  })
  const looks = yield* Cache.make({ lookup: look, capacity, timeToLive: Duration.zero })

  yield* changes.subscribe((change) => {
    if (change !== undefined && !tables.includes(change.table)) return
    memories = new Map()
    Effect.runSync(Cache.invalidateAll(looks))
  })

  return (key: Key): Effect.Effect<Option.Option<A>, E> =>
    Effect.clockWith((clock) => {
      const memory = memories.get(nameOf(key))
      return memory !== undefined && clock.currentTimeMillisUnsafe() < memory.goodUntil
        ? memory.found
        : Cache.get(looks, key)
    })
})
