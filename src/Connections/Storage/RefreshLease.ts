import { Clock, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import type { MemoryConnections } from "./MemoryConnections.ts"

/**
 * Lets one caller across all instances refresh the tokens of a connection. A lease also ends with new credentials, with
 * the connection's expiry, and after its duration.
 */
export interface RefreshLease {
  /** False if another caller has the lease or the credentials have changed since `version`. */
  readonly claim: (id: ConnectionId, version: number, duration: Duration.Duration) => Effect.Effect<boolean>
  readonly extend: (id: ConnectionId, version: number, duration: Duration.Duration) => Effect.Effect<void>
  readonly release: (id: ConnectionId, version: number) => Effect.Effect<void>
}

export const makeRefreshLease = (sql: SqlClient.SqlClient): RefreshLease => ({
  claim: Effect.fnUntraced(function* claim(id, version, duration) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql`
      UPDATE connections SET refreshing_until = ${new Date(now + Duration.toMillis(duration))}
      WHERE id = ${id} AND version = ${version}
        AND (refreshing_until IS NULL OR refreshing_until < ${new Date(now)})
      RETURNING id`
    return rows.length === 1
  }, Effect.orDie),
  extend: Effect.fnUntraced(function* extend(id, version, duration) {
    const until = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(duration))
    yield* sql`
      UPDATE connections SET refreshing_until = ${until}
      WHERE id = ${id} AND version = ${version} AND refreshing_until IS NOT NULL`
  }, Effect.orDie),
  release: (id, version) =>
    Effect.orDie(Effect.asVoid(
      sql`UPDATE connections SET refreshing_until = NULL WHERE id = ${id} AND version = ${version}`
    ))
})

export const makeMemoryRefreshLease = (stored: MemoryConnections["Service"]): RefreshLease => ({
  claim: (id, version, duration) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = stored.get(id)
      if (found?.version !== version || (found.refreshingUntil ?? -Infinity) >= now) return false
      stored.set({ ...found, refreshingUntil: now + Duration.toMillis(duration) })
      return true
    }),
  extend: (id, version, duration) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = stored.get(id)
      if (found?.version !== version || found.refreshingUntil === undefined) return
      stored.set({ ...found, refreshingUntil: now + Duration.toMillis(duration) })
    }),
  release: (id, version) =>
    Effect.sync(() => {
      const found = stored.get(id)
      if (found?.version === version) stored.set({ ...found, refreshingUntil: undefined })
    })
})
