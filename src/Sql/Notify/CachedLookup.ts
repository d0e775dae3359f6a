import { Cache, Clock, Duration, Effect, Exit, Option } from "effect"
import { type InvalidatedRow, Invalidation } from "./Invalidation.ts"

/** Bounds the delay of a missed invalidation. */
const maxAge = Duration.millis(500)

const capacity = 10_000

interface Entry<A> {
  readonly result: Exit.Exit<Option.Option<A>>
  readonly expiresAtMillis: number
}

export const cachedLookup = Effect.fnUntraced(function*<Key, A, E>(
  tables: ReadonlyArray<InvalidatedRow["table"]>,
  find: (key: Key) => Effect.Effect<Option.Option<A>, E>,
  nameOf: (key: Key) => string
) {
  const invalidation = yield* Invalidation
  // Every call reads several entries, so hits come from a plain map. `lookups` shares concurrent misses of a key.
  let entries = new Map<string, Entry<A>>()

  const lookup = Effect.fnUntraced(function* lookup(key: Key) {
    const current = entries
    const found = yield* find(key)
    if (Option.isNone(found)) return found
    const expiresAtMillis = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxAge)
    if (current.size >= capacity) current.clear()
    current.set(nameOf(key), { result: Exit.succeed(found), expiresAtMillis })
    return found
  })
  const lookups = yield* Cache.make({ lookup, capacity, timeToLive: Duration.zero })

  yield* invalidation.subscribe((row) => {
    if (row !== undefined && !tables.includes(row.table)) return
    entries = new Map()
    Effect.runSync(Cache.invalidateAll(lookups))
  })

  return (key: Key): Effect.Effect<Option.Option<A>, E> =>
    Effect.clockWith((clock) => {
      const entry = entries.get(nameOf(key))
      return entry !== undefined && clock.currentTimeMillisUnsafe() < entry.expiresAtMillis
        ? entry.result
        : Cache.get(lookups, key)
    })
})
