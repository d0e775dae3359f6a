import { PgTypes } from "@effect/sql-pg"
import { Effect, Exit, Option } from "effect"
import type { SqlClient } from "effect/unstable/sql"
import type { ConnectionId } from "../Api/Ids.ts"
import { JsonText } from "../Providers/JsonText.ts"
import { array, insertColumns, textArray } from "../Sql/Columns.ts"
import type { CacheKey } from "./CacheKey.ts"

export interface StoredResponse {
  readonly key: CacheKey
  readonly body: JsonText
  readonly created_at: Date
}

export interface WantedResponse {
  readonly key: CacheKey
  readonly oldest: Date
  /** A body that is at hand: where it is the one that is stored, it does not travel again. */
  readonly known: JsonText | undefined
}

const { bytea, text, timestamptz } = PgTypes.OID

const columnTypes = {
  connection_id: text,
  client_id: text,
  request_hash: bytea,
  body: text,
  body_hash: text,
  hashed_at: timestamptz,
  created_at: timestamptz
}

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
        body = CASE
          WHEN responses.body_hash = excluded.body_hash AND responses.hashed_at = responses.created_at THEN responses.body
          ELSE excluded.body
        END,
        body_hash = excluded.body_hash,
        hashed_at = excluded.hashed_at,
        created_at = excluded.created_at
      WHERE responses.created_at <= excluded.created_at`
  )
  return (responses: ReadonlyArray<StoredResponse>) =>
    insert(
      newest(responses).map(({ body, created_at, key }) => ({
        connection_id: key.connection.id,
        client_id: key.connection.client_id,
        request_hash: key.requestHash,
        body: body.text,
        body_hash: body.hash,
        hashed_at: created_at,
        created_at
      }))
    )
}

/** One statement can write a row once only. */
const newest = (responses: ReadonlyArray<StoredResponse>): ReadonlyArray<StoredResponse> => {
  const byName = new Map<string, StoredResponse>()
  for (const response of responses) {
    const { name } = response.key
    const other = byName.get(name)
    if (other === undefined || other.created_at <= response.created_at) byName.set(name, response)
  }
  return [...byName.values()]
}

/** The bodies that are stored and may be served, for each of a list. */
export const findResponses = (sql: SqlClient.SqlClient, wanted: ReadonlyArray<WantedResponse>) =>
  Effect.map(
    sql<{ readonly place: number; readonly body: string | null }>`
      SELECT place::int, CASE WHEN body_hash = known AND hashed_at = created_at THEN NULL ELSE body END AS body
      FROM unnest(
        ${textArray(wanted.map(({ key }) => key.connection.id))},
        ${array(wanted.map(({ key }) => key.requestHash), bytea)},
        ${array(wanted.map(({ oldest }) => oldest), timestamptz)},
        ${array(wanted.map(({ known }) => known?.hash ?? null), text)}
      ) WITH ORDINALITY AS wanted (connection_id, request_hash, oldest, known, place)
      JOIN responses USING (connection_id, request_hash)
      WHERE created_at >= oldest AND NOT EXISTS (
        SELECT FROM response_drops
        WHERE response_drops.connection_id = responses.connection_id AND dropped_at >= created_at
      )`,
    (rows) => {
      const found = new Map(rows.map(({ body, place }) => [place, body]))
      return wanted.map(({ known }, index) => {
        const body = found.get(index + 1)
        const json = typeof body === "string" ? JsonText.trusted(body) : body === null ? known : undefined
        return Exit.succeed(Option.fromUndefinedOr(json))
      })
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
