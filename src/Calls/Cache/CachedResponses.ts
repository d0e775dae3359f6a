import { PgTypes } from "@effect/sql-pg"
import { Effect, Exit, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Vault } from "../../Secrets/Vault.ts"
import { array, bulkInsert, bulkSelect, runBulk, textArray } from "../../Sql/BulkStatement.ts"
import type { CacheKey } from "./CacheKey.ts"
import type { RecentResponses } from "./RecentResponses.ts"

export interface WantedResponse {
  readonly key: CacheKey
  readonly oldest: Date
}

const { bytea, text, timestamptz } = PgTypes.OID

const columnTypes = {
  connection_id: text,
  client_id: text,
  request_hash: bytea,
  encrypted_body: bytea,
  encryption_key_id: text,
  created_at: timestamptz
}

export type ResponseRow = Readonly<Record<keyof typeof columnTypes, unknown>> & {
  readonly name: string
  readonly created_at: Date
}

export const responseRow = (
  vault: Vault["Service"],
  key: CacheKey,
  body: JsonText,
  created_at: Date
): ResponseRow => {
  const { name } = key
  const { bytes, encryptionKeyId } = vault.encrypt(name, Redacted.make(body.text))
  return {
    name,
    connection_id: key.connection.id,
    client_id: key.connection.client_id,
    request_hash: key.requestHash,
    encrypted_body: bytes,
    encryption_key_id: encryptionKeyId,
    created_at
  }
}

export const responseInsert = (sql: SqlClient.SqlClient) =>
  bulkInsert<keyof typeof columnTypes>(
    sql,
    "responses",
    columnTypes,
    sql`ON CONFLICT (connection_id, request_hash)
      DO UPDATE SET
        body = NULL,
        encrypted_body = excluded.encrypted_body,
        encryption_key_id = excluded.encryption_key_id,
        created_at = excluded.created_at
      WHERE responses.created_at <= excluded.created_at`
  )

/** The newest row of each name. Ordered, so that concurrent instances do not deadlock. */
export const newestByName = (rows: ReadonlyArray<ResponseRow>): ReadonlyArray<ResponseRow> => {
  if (rows.length < 2) return rows
  const byName = new Map<string, ResponseRow>()
  for (const row of rows) {
    const other = byName.get(row.name)
    if (other === undefined || other.created_at <= row.created_at) byName.set(row.name, row)
  }
  return [...byName.values()].toSorted((one, other) => one.name < other.name ? -1 : 1)
}

interface Row {
  readonly place: number
  /** Changes with each write of the row. */
  readonly version: string
  /** `null` if the wanted version is known. */
  readonly bytes: Uint8Array | null
  readonly encryptionKeyId: string
}

const wantedTypes = { connection_id: text, request_hash: bytea, oldest: timestamptz, known: text }

/** The database says each time whether a response is still there, and sends its body once to each instance. */
export const makeFindResponses = (sql: SqlClient.SqlClient, vault: Vault["Service"], recent: RecentResponses) => {
  const find = runBulk<Readonly<Record<keyof typeof wantedTypes, unknown>>, Row>(
    sql,
    bulkSelect(sql, wantedTypes, (wanted) =>
      sql`
        SELECT place::int, responses.xmin::text AS version,
          CASE WHEN responses.xmin::text = known THEN NULL ELSE encrypted_body END AS bytes,
          encryption_key_id AS "encryptionKeyId"
        FROM ${wanted} AS wanted JOIN responses USING (connection_id, request_hash)
        WHERE created_at >= oldest AND encrypted_body IS NOT NULL AND NOT EXISTS (
          SELECT FROM response_drops
          WHERE response_drops.connection_id = responses.connection_id AND dropped_at >= created_at
        )`)
  )

  /** A body whose encryption key is gone counts as missing. */
  const decrypt = ({ name }: CacheKey, { bytes, encryptionKeyId, version }: Row & { readonly bytes: Uint8Array }) =>
    Effect.option(Effect.map(vault.decrypt(name, { bytes, encryptionKeyId }), (secret) => {
      const body = JsonText.trusted(Redacted.value(secret))
      recent.set(name, { version, body })
      return body
    }))

  return Effect.fnUntraced(function* findResponses(wanted: ReadonlyArray<WantedResponse>) {
    const known = wanted.map(({ key }) => recent.get(key.name))
    const found = yield* find(wanted.map(({ key, oldest }, index) => ({
      connection_id: key.connection.id,
      request_hash: key.requestHash,
      oldest,
      known: known[index]?.version ?? null
    })))
    const rows = new Map(found.map((row) => [row.place, row]))
    return yield* Effect.forEach(wanted, ({ key }, index) => {
      const row = rows.get(index + 1)
      if (row === undefined) {
        recent.delete(key.name)
        return Effect.succeed(Exit.succeed(Option.none()))
      }
      const { bytes } = row
      return Effect.exit(
        bytes === null ? Effect.succeed(Option.fromUndefinedOr(known[index]?.body)) : decrypt(key, { ...row, bytes })
      )
    })
  })
}

export interface Drop {
  readonly connection_id: ConnectionId
  readonly dropped_at: Date
}

export const dropResponses = (sql: SqlClient.SqlClient, drops: ReadonlyArray<Drop>) => {
  const ids = textArray(drops.map(({ connection_id }) => connection_id))
  // Ordered, so that concurrent instances do not deadlock. A response that is being stored stays: it is newer than the
  // drop, or never served.
  return sql`
    WITH dropped AS (
      INSERT INTO response_drops (connection_id, dropped_at)
      SELECT id, max(at)
      FROM unnest(${ids}, ${array(drops.map(({ dropped_at }) => dropped_at), timestamptz)}) AS dropped (id, at)
      GROUP BY id ORDER BY id COLLATE "C"
      ON CONFLICT (connection_id) DO UPDATE SET dropped_at = greatest(response_drops.dropped_at, excluded.dropped_at)
    )
    DELETE FROM responses WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM responses WHERE connection_id = ANY(${ids}) FOR UPDATE SKIP LOCKED
    ))`
}
