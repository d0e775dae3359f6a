import { Clock, Duration, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoredConnection } from "../../Domain/Connection.ts"
import { type FindRisks, HealthCode } from "../../Domain/Health.ts"
import { ConnectionId } from "../../Domain/Ids.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { countOf, rowsOf, valuesOf } from "../../Sql/Rows.ts"
import type { ConnectionRows } from "./ConnectionRows.ts"

export interface HealthRecords {
  /** Adds these reasons to the health of each connection. */
  readonly watch: (findRisks: FindRisks) => Effect.Effect<void>
  /**
   * Claims at most `limit` active connections with credentials that neither a call nor a claim used for a day. A call
   * through a derived connection counts too. The longest unused come first.
   */
  readonly claimUnused: (limit: number) => Effect.Effect<ReadonlyArray<ConnectionId>>
  /** The active connections that have credentials. */
  readonly countActive: Effect.Effect<number>
  /** What the account of a connection lists, in the spelling of bounds. Also for the connections derived from it. */
  readonly setListed: (id: ConnectionId, listed: ReadonlyArray<string>) => Effect.Effect<void>
  /** Connections whose reasons may differ from those announced. */
  readonly toAnnounce: Effect.Effect<
    ReadonlyArray<{ readonly connection: StoredConnection; readonly announced: ReadonlyArray<HealthCode> }>
  >
  /** False if the announced reasons are no longer `before`. */
  readonly announce: (
    id: ConnectionId,
    before: ReadonlyArray<HealthCode>,
    after: ReadonlyArray<HealthCode>
  ) => Effect.Effect<boolean>
}

/** Selects candidates: shorter than the five months that `findRisks` checks exactly. */
const maybeUnused = Duration.days(140)

export const oneDay = Duration.toMillis(Duration.days(1))

export const makeHealthRecords = (
  sql: SqlClient.SqlClient,
  { all, columns, watch }: ConnectionRows
): HealthRecords => ({
  watch,

  claimUnused: Effect.fnUntraced(function*(limit) {
    const millis = yield* Clock.currentTimeMillis
    const [now, yesterday] = [new Date(millis), new Date(millis - oneDay)]
    return yield* ids.all(sql`
      UPDATE connections SET tried_at = ${now}
      WHERE status = 'active' AND coalesce(tried_at, created_at) <= ${yesterday} AND id IN (
        SELECT id FROM connections AS own
        WHERE status = 'active' AND parent_id IS NULL AND coalesce(tried_at, created_at) <= ${yesterday}
          AND coalesce(last_used_at, created_at) <= ${yesterday}
          AND NOT EXISTS (SELECT FROM connections WHERE parent_id = own.id AND last_used_at > ${yesterday})
        ORDER BY coalesce(tried_at, created_at), id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING id`)
  }),

  countActive: countOf(sql`SELECT count(*)::int FROM connections WHERE status = 'active' AND parent_id IS NULL`),

  setListed: (id, listed) => {
    const lost = sql`ARRAY(SELECT resource FROM unnest(resources) AS resource
      WHERE resource NOT LIKE '%:created' AND resource <> ALL(${textArray(listed)}))`
    return Effect.orDie(Effect.asVoid(sql`
      UPDATE connections SET lost_resources = ${lost}
      WHERE (id = ${id} OR parent_id = ${id}) AND resources IS NOT NULL AND lost_resources <> ${lost}`))
  },

  toAnnounce: Effect.gen(function*() {
    const longAgo = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(maybeUnused))
    const rows = yield* announcements.all(sql`
      SELECT one.id, one.announced FROM connections AS one
      JOIN connections AS own ON own.id = coalesce(one.parent_id, one.id)
      WHERE one.announced <> '{}' OR (one.status <> 'revoked' AND (
        own.last_error IS NOT NULL OR own.status = 'expired' OR own.refresh_expires_at IS NOT NULL
        OR one.lost_resources <> '{}' OR NOT own.asked_scopes <@ own.scopes
        OR (own.auth_type = 'oauth' AND own.created_at < ${longAgo}
          AND coalesce(own.token_used_at, own.created_at) < ${longAgo})))`)
    if (rows.length === 0) return []
    const connections = yield* all(
      sql`SELECT ${columns} FROM connections WHERE id = ANY(${textArray(rows.map(({ id }) => id))})`
    )
    const announced = new Map(rows.map((row) => [row.id, row.announced]))
    return connections.map((connection) => ({ connection, announced: announced.get(connection.id) ?? [] }))
  }),

  announce: (id, before, after) =>
    Effect.map(
      ids.all(sql`
        UPDATE connections SET announced = ${textArray(after)}
        WHERE id = ${id} AND announced = ${textArray(before)} RETURNING id`),
      ({ length }) => length === 1
    )
})

const ids = valuesOf(ConnectionId)
const announcements = rowsOf(Schema.Struct({ id: ConnectionId, announced: Schema.Array(HealthCode) }))
