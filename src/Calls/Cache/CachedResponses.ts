import { PgTypes } from "@effect/sql-pg"
import { Effect, Exit, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import type { Vault } from "../../Secrets/Vault.ts"
import { array, bulkInsert, bulkSelect, runBulk, textArray } from "../../Sql/BulkStatement.ts"
import type { CacheKey } from "./CacheKey.ts"

export interface WantedResponse {
  readonly key: CacheKey
  readonly oldest: Date
  readonly inMemory: JsonText | undefined
}

const { bytea, text, timestamptz } = PgTypes.OID

const columnTypes = {
  connection_id: text,
  client_id: text,
  request_hash: bytea,
  encrypted_body: bytea,
  encryption_key_id: text,
  body_hash: text,
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
    body_hash: body.hash,
    created_at
  }
}

export const storeResponses = (sql: SqlClient.SqlClient) => {
  const insert = runBulk<ResponseRow>(
    sql,
    bulkInsert(
      sql,
      "responses",
      columnTypes,
      sql`ON CONFLICT (connection_id, request_hash)
      DO UPDATE SET
        body = NULL,
        encrypted_body = CASE
          WHEN responses.body_hash = excluded.body_hash AND responses.encryption_key_id = excluded.encryption_key_id
            THEN responses.encrypted_body
          ELSE excluded.encrypted_body
        END,
        encryption_key_id = excluded.encryption_key_id,
        body_hash = excluded.body_hash,
        created_at = excluded.created_at
      WHERE responses.created_at <= excluded.created_at`
    )
  )
  return (rows: ReadonlyArray<ResponseRow>) => insert(newestByName(rows))
}

/** The newest of each name. Ordered, so that concurrent instances do not deadlock. */
const newestByName = (rows: ReadonlyArray<ResponseRow>): ReadonlyArray<ResponseRow> => {
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
  readonly encrypted_body: Uint8Array | null
  readonly encryption_key_id: string | null
  readonly body_hash: string
}

const noBodies: ReadonlyMap<number, string | undefined> = new Map()

const wantedTypes = { connection_id: text, request_hash: bytea, oldest: timestamptz, known: text }

const toParameters = ({ inMemory, key, oldest }: WantedResponse) => ({
  connection_id: key.connection.id,
  request_hash: key.requestHash,
  oldest,
  known: inMemory?.hash ?? null
})

export const makeFindResponses = (sql: SqlClient.SqlClient, vault: Vault["Service"]) => {
  const find = runBulk<ReturnType<typeof toParameters>, Row>(
    sql,
    bulkSelect(sql, wantedTypes, (wanted) =>
      sql`
        SELECT place::int, body_hash, CASE WHEN body_hash = known THEN NULL ELSE encrypted_body END AS encrypted_body, encryption_key_id
        FROM ${wanted} AS wanted JOIN responses USING (connection_id, request_hash)
        WHERE created_at >= oldest AND NOT EXISTS (
          SELECT FROM response_drops
          WHERE response_drops.connection_id = responses.connection_id AND dropped_at >= created_at
        )`)
  )
  return Effect.fnUntraced(function*(wanted: ReadonlyArray<WantedResponse>) {
    const rows = yield* find(wanted.map(toParameters))
    const responses = new Map(rows.map((row) => [row.place, row]))
    const isKnown = ({ body_hash, place }: Row) => wanted[place - 1]?.inMemory?.hash === body_hash
    const encrypted = rows.filter(({ encrypted_body }) => encrypted_body !== null)
    const decrypted = encrypted.length === 0 ? noBodies : new Map(
      yield* Effect.forEach(
        encrypted,
        (row) => Effect.map(decrypt(vault, wanted, row), (text) => [row.place, text] as const)
      )
    )

    const bodyOf = ({ body_hash, place }: Row): JsonText | undefined => {
      const text = decrypted.get(place)
      const json = text === undefined ? undefined : JsonText.trusted(text)
      return json?.hash === body_hash ? json : undefined
    }
    return wanted.map(({ inMemory }, index) => {
      const row = responses.get(index + 1)
      return Exit.succeed(Option.fromUndefinedOr(row && (isKnown(row) ? inMemory : bodyOf(row))))
    })
  })
}

/** A body whose encryption key is gone counts as missing. */
const decrypt = (
  vault: Vault["Service"],
  wanted: ReadonlyArray<WantedResponse>,
  { encrypted_body: bytes, encryption_key_id: encryptionKeyId, place }: Row
): Effect.Effect<string | undefined> => {
  const name = wanted[place - 1]?.key.name
  if (bytes === null || encryptionKeyId === null || name === undefined) return Effect.undefined
  return vault.decrypt(name, { bytes, encryptionKeyId }).pipe(
    Effect.map(Redacted.value),
    Effect.catchTag("DecryptionFailed", () => Effect.undefined)
  )
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
