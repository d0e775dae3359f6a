import { PgTypes } from "@effect/sql-pg"
import { Effect, Exit, Option } from "effect"
import type { SqlClient } from "effect/unstable/sql"
import type { ClientId, ConnectionId } from "../Api/Ids.ts"
import { array, insertColumns, textArray } from "../Sql/Columns.ts"

/** The primary key of `responses`. */
interface ResponseKey {
  readonly connection_id: ConnectionId
  /** SHA-256 of the target and the canonical JSON of the input. */
  readonly request_hash: Buffer
}

export interface StoredResponse extends ResponseKey {
  readonly client_id: ClientId | null
  readonly body: string
  readonly created_at: Date
}

export interface WantedResponse extends ResponseKey {
  readonly oldest: Date
}

const { bytea, text, timestamptz } = PgTypes.OID

const columnTypes = { connection_id: text, client_id: text, request_hash: bytea, body: text, created_at: timestamptz }

/**
 * A response that is the same as last time is not written again, only its time is: reports are asked for more often than
 * they change.
 */
export const storeResponses = (sql: SqlClient.SqlClient) => {
  const insert = insertColumns(
    sql,
    "responses",
    columnTypes,
    sql`ON CONFLICT (connection_id, request_hash)
      DO UPDATE SET
        body = CASE WHEN responses.body = excluded.body THEN responses.body ELSE excluded.body END,
        created_at = excluded.created_at
      WHERE responses.created_at <= excluded.created_at`
  )
  return (responses: ReadonlyArray<StoredResponse>) => insert(newest(responses))
}

/** One statement can write a row once only. */
const newest = (responses: ReadonlyArray<StoredResponse>): ReadonlyArray<StoredResponse> => {
  const byKey = new Map<string, StoredResponse>()
  for (const response of responses) {
    const key = `${response.connection_id} ${response.request_hash.toString("base64")}`
    const other = byKey.get(key)
    if (other === undefined || other.created_at <= response.created_at) byKey.set(key, response)
  }
  return [...byKey.values()]
}

/** The bodies that are stored and may be served, for each of a list. */
export const findResponses = (sql: SqlClient.SqlClient, wanted: ReadonlyArray<WantedResponse>) =>
  Effect.map(
    sql<{ readonly place: number; readonly body: string }>`
      SELECT place::int, body
      FROM unnest(
        ${textArray(wanted.map(({ connection_id }) => connection_id))},
        ${array(wanted.map(({ request_hash }) => request_hash), bytea)},
        ${array(wanted.map(({ oldest }) => oldest), timestamptz)}
      ) WITH ORDINALITY AS wanted (connection_id, request_hash, oldest, place)
      JOIN responses USING (connection_id, request_hash)
      WHERE created_at >= oldest AND NOT EXISTS (
        SELECT FROM response_drops
        WHERE response_drops.connection_id = responses.connection_id AND dropped_at >= created_at
      )`,
    (rows) => {
      const found = new Map(rows.map(({ body, place }) => [place, body]))
      return wanted.map((_, index) => Exit.succeed(Option.fromUndefinedOr(found.get(index + 1))))
    }
  )

/** Something was written through a connection. */
export interface Drop {
  readonly connection_id: ConnectionId
  readonly dropped_at: Date
}

/** Forgets what is stored for these connections, and what was asked for before and is stored later. */
export const dropResponses = (sql: SqlClient.SqlClient, drops: ReadonlyArray<Drop>) => {
  const ids = textArray(drops.map(({ connection_id }) => connection_id))
  // In the order of the connections, so that instances which drop the same ones do not wait for each other in a circle.
  return sql`
    WITH dropped AS (
      INSERT INTO response_drops (connection_id, dropped_at)
      SELECT id, max(at)
      FROM unnest(${ids}, ${array(drops.map(({ dropped_at }) => dropped_at), timestamptz)}) AS dropped (id, at)
      GROUP BY id ORDER BY id COLLATE "C"
      ON CONFLICT (connection_id) DO UPDATE SET dropped_at = greatest(response_drops.dropped_at, excluded.dropped_at)
    )
    DELETE FROM responses WHERE connection_id = ANY(${ids})`
}
