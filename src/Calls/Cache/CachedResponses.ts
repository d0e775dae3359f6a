import { PgTypes } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Vault } from "../../Secrets/Vault.ts"
import { array, bulkInsert, bulkSelect, runBulk, textArray } from "../../Sql/BulkStatement.ts"
import type { CacheKey } from "./CacheKey.ts"

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

/** The newest of each name. Ordered, so that concurrent instances do not deadlock. */
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
  readonly bytes: Uint8Array
  readonly encryptionKeyId: string
}

const wantedTypes = { connection_id: text, request_hash: bytea, oldest: timestamptz }

const toParameters = ({ key, oldest }: WantedResponse) => ({
  connection_id: key.connection.id,
  request_hash: key.requestHash,
  oldest
})

export const makeFindResponses = (sql: SqlClient.SqlClient, vault: Vault["Service"]) => {
  const find = runBulk<ReturnType<typeof toParameters>, Row>(
    sql,
    bulkSelect(sql, wantedTypes, (wanted) =>
      sql`
        SELECT place::int, encrypted_body AS bytes, encryption_key_id AS "encryptionKeyId"
        FROM ${wanted} AS wanted JOIN responses USING (connection_id, request_hash)
        WHERE created_at >= oldest AND encrypted_body IS NOT NULL AND NOT EXISTS (
          SELECT FROM response_drops
          WHERE response_drops.connection_id = responses.connection_id AND dropped_at >= created_at
        )`)
  )

  /** A body whose encryption key is gone counts as missing. */
  const decrypt = ({ key }: WantedResponse, row: Row) =>
    Effect.option(Effect.map(vault.decrypt(key.name, row), (secret) => JsonText.trusted(Redacted.value(secret))))

  return Effect.fnUntraced(function* findResponses(wanted: ReadonlyArray<WantedResponse>) {
    const rows = new Map((yield* find(wanted.map(toParameters))).map((row) => [row.place, row]))
    return yield* Effect.forEach(wanted, (each, index) => {
      const row = rows.get(index + 1)
      return Effect.exit(row === undefined ? Effect.succeedNone : decrypt(each, row))
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
