import { Effect, type Redacted, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { ConnectionId } from "../Domain/Ids.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import type { ReEncryption, UndecryptedCredentials, UnreadableData } from "../Domain/ReEncryption.ts"
import { rowsOf, selectNewest, selectPage } from "../Sql/Rows.ts"
import { type DecryptionFailed, Encrypted, Vault } from "./Vault.ts"

const concurrency = 8

const EncryptedRow = Schema.Struct({
  ...Encrypted.fields,
  id: Schema.String,
  connectionId: Schema.optionalKey(ConnectionId)
})
type EncryptedRow = typeof EncryptedRow.Type

const encryptedRows = rowsOf(EncryptedRow)

export interface EncryptedTable<Row extends EncryptedRow> {
  readonly table: string
  readonly id: Fragment
  /** The column of the ciphertext. The id of its key is in `encryption_key_id`. */
  readonly bytes: string
  readonly columns?: Fragment
  readonly rows: (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) => Effect.Effect<ReadonlyArray<Row>>
  readonly decrypt: (row: Row) => Effect.Effect<Redacted.Redacted, DecryptionFailed>
  readonly encrypt: (row: Row, text: Redacted.Redacted) => Encrypted
  readonly connectionId?: (row: Row) => ConnectionId | null
}

const pageSize = 1000

const keysInUse = rowsOf(Schema.Struct({
  keyId: Schema.String,
  count: Schema.Int,
  oldest: Schema.String,
  newest: Schema.String
}))

/**
 * Tries the oldest and the newest row of each key. Only if one of them cannot be decrypted, it tries every row of the
 * key.
 */
export const unreadableRows = Effect.fnUntraced(function*<Row extends EncryptedRow>(
  { bytes, columns, decrypt, id, rows, table }: EncryptedTable<Row>
) {
  const sql = yield* SqlClient.SqlClient
  const { keyIds } = yield* Vault
  const select = sql`
    SELECT ${id} AS id, ${sql(bytes)} AS bytes, encryption_key_id AS "encryptionKeyId" ${columns ?? sql``}
    FROM ${sql(table)} WHERE ${sql(bytes)} IS NOT NULL`

  const failures = (rows: ReadonlyArray<Row>) =>
    Effect.map(
      Effect.forEach(rows, (row) => Effect.result(decrypt(row))),
      (results) => results.filter(Result.isFailure).length
    )

  const countFailures = Effect.fnUntraced(function*(keyId: string) {
    let count = 0
    let cursor: string | null = ""
    while (cursor !== null) {
      const after: string = cursor
      const page: Page<Row> = yield* selectPage(
        pageSize,
        (limit) => rows(sql`${select} AND encryption_key_id = ${keyId} AND ${id} > ${after} ORDER BY 1 LIMIT ${limit}`)
      )
      count += yield* failures(page.items)
      cursor = page.cursor
    }
    return count
  })

  return Effect.gen(function*() {
    const keys = yield* keysInUse.all(sql`
      SELECT encryption_key_id AS "keyId", count(*)::int AS count, min(${id}) AS oldest, max(${id}) AS newest
      FROM ${sql(table)} WHERE ${sql(bytes)} IS NOT NULL GROUP BY 1`)
    const found: Array<UnreadableData> = []
    for (const { count, keyId, newest, oldest } of keys) {
      if (!keyIds.has(keyId)) {
        found.push({ key_id: keyId, reason: "not_configured", count })
      } else if ((yield* failures(yield* rows(sql`${select} AND ${id} IN (${oldest}, ${newest})`))) > 0) {
        found.push({ key_id: keyId, reason: "other_bytes", count: yield* countFailures(keyId) })
      }
    }
    return found
  })
})

/** Re-encrypts rows whose ciphertext is bound to their id alone. `id` and `connectionId` are columns. */
export const reEncryptById = Effect.fnUntraced(function*(
  { connectionId, id = "id", ...table }: Pick<EncryptedTable<EncryptedRow>, "table" | "bytes"> & {
    readonly id?: string
    readonly connectionId?: string
  }
) {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  return yield* reEncryptRows({
    ...table,
    id: sql`${sql(id)}`,
    columns: connectionId === undefined ? sql`` : sql`, ${sql(connectionId)} AS "connectionId"`,
    rows: encryptedRows.all,
    decrypt: (row) => vault.decrypt(row.id, row),
    encrypt: (row, text) => vault.encrypt(row.id, text),
    connectionId: (row) => row.connectionId ?? null
  })
})

export const reEncryptRows = Effect.fnUntraced(function*<Row extends EncryptedRow>(
  table: EncryptedTable<Row>
): Effect.fn.Return<ReEncryption, never, SqlClient.SqlClient | Vault> {
  const sql = yield* SqlClient.SqlClient
  const { keyId } = yield* Vault
  const [from, bytes] = [sql(table.table), sql(table.bytes)]
  const isOutdated = sql`${bytes} IS NOT NULL AND encryption_key_id <> ${keyId}`

  const outdated = (page: PageRequest) =>
    selectNewest(
      sql,
      page,
      (after, end) =>
        table.rows(sql`
          SELECT ${table.id} AS id, ${bytes} AS bytes, encryption_key_id AS "encryptionKeyId" ${table.columns ?? sql``}
          FROM ${from} WHERE ${isOutdated} AND ${after} ${end}`),
      table.id
    )

  const reEncryptRow = (row: Row) =>
    table.decrypt(row).pipe(
      Effect.flatMap((text) => {
        const encrypted = table.encrypt(row, text)
        // Ciphertexts are never the same twice, so this changes no row that was written in the meantime.
        return Effect.orDie(sql`
          UPDATE ${from} SET ${bytes} = ${encrypted.bytes}, encryption_key_id = ${encrypted.encryptionKeyId}
          WHERE ${table.id} = ${row.id} AND ${bytes} = ${row.bytes} RETURNING 1 AS written`)
      }),
      Effect.map((written) => written.length),
      Effect.mapError(({ message }): UndecryptedCredentials => ({
        connection_id: table.connectionId?.(row) ?? null,
        encryption_key_id: row.encryptionKeyId,
        reason: message
      })),
      Effect.result
    )

  return {
    unreadable: yield* unreadableRows(table),

    reEncrypt: Effect.fn("ReEncryption.reEncrypt")(function*(page) {
      const { cursor, items } = yield* outdated(page)
      const results = yield* Effect.forEach(items, reEncryptRow, { concurrency })
      return {
        rotated: results.filter(Result.isSuccess).reduce((sum, { success }) => sum + success, 0),
        failed: results.filter(Result.isFailure).map(({ failure }) => failure),
        cursor
      }
    }),

    remaining: Effect.map(
      Effect.orDie(sql<{ readonly key: string; readonly count: number }>`
        SELECT encryption_key_id AS key, count(*)::int AS count FROM ${from} WHERE ${isOutdated} GROUP BY 1`),
      (counts) => new Map(counts.map(({ count, key }) => [key, count]))
    )
  }
})
