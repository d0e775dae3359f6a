import { Effect } from "effect"
import { Cache } from "../../Calls/Cache/Cache.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"

/** Drops what is cached of a connection with new credentials, and of those derived from it. */
export const makeDropStaleResponses = Effect.gen(function*() {
  const cache = yield* Cache
  const connections = yield* ConnectionRepo
  return Effect.fnUntraced(function*(id: ConnectionId) {
    const derived = yield* connections.derived(id)
    yield* Effect.forEach([id, ...derived.map(({ id }) => id)], cache.drop, { discard: true })
  })
})
