import { PgTypes } from "@effect/sql-pg"
import { Clock, Config, Context, Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { PayloadTooLarge } from "../../../Api/Errors/RequestErrors.ts"
import { type MemberId, ResultId } from "../../../Domain/Ids.ts"
import { newId } from "../../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../../Domain/Page.ts"
import { PositiveDuration } from "../../../Domain/Validation/DurationText.ts"
import { reEncryptById } from "../../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../../Secrets/StoredSecrets.ts"
import { Vault } from "../../../Secrets/Vault.ts"
import { advisoryLock, lockOfMember } from "../../../Sql/AdvisoryLock.ts"
import { bulkInsert, runBulk, textArray } from "../../../Sql/BulkStatement.ts"
import { countOf, selectNewest } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"
import { inTransaction } from "../../../Sql/Transaction.ts"
import { ResultNotFound } from "../Contract.ts"
import type { KeptResult } from "../Result.ts"
import type { Chunk, KeptTable } from "./KeptTable.ts"
import {
  type ChunkRow,
  chunks,
  chunkTypes,
  decodeColumns,
  ofChunk,
  partRows,
  positions,
  results,
  stored
} from "./ResultRows.ts"
import type {
  GrowingChunk,
  GrowingResult,
  Growth,
  ResultOrigin,
  ResultPart,
  ResultSource,
  StoredChunk,
  StoredChunks,
  StoredResult
} from "./StoredResult.ts"

const lock = advisoryLock("results", 7_226_931)

/** The most bytes that all results of one member may take. */
const maxBytes = 1_073_741_824

/** The most bytes of column names in a list. */
const maxBriefBytes = 4096

export const resultRetention = Config.schema(PositiveDuration, "RESULT_RETENTION").pipe(
  Config.withDefault(Duration.hours(1))
)

export const resultSecrets: StoredSecrets = {
  cursor: "chk_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "result_chunks", bytes: "bytes" })
}

/** Stores tables for a while, encrypted, in chunks, so that a page decrypts one or two of them. */
export class KeptResults extends Context.Service<KeptResults, {
  readonly keep: (origin: ResultOrigin, table: KeptTable) => Effect.Effect<KeptResult, PayloadTooLarge>
  /** Begins a result with many sources, or begins it anew after an instance has died. */
  readonly grow: (result: GrowingResult, columns: KeptTable["columns"]) => Effect.Effect<Growth>
  readonly find: (holder: string, id: string) => Effect.Effect<StoredResult, ResultNotFound>
  /** The parts of a result with many sources, in order. */
  readonly parts: (result: StoredResult) => Effect.Effect<ReadonlyArray<ResultPart>>
  readonly list: (holder: string, page: PageRequest) => Effect.Effect<Page<StoredResult>>
  readonly columns: (result: StoredResult) => Effect.Effect<KeptResult["columns"], ResultNotFound>
  /** `None` if they take more than 4 kB. */
  readonly briefColumns: (result: StoredResult) => Effect.Effect<Option.Option<KeptResult["columns"]>, ResultNotFound>
  /** The chunks that have the rows, in order. After the first one and at least `bytes` more, the rest is left out. */
  readonly chunks: (
    result: StoredResult,
    range: { readonly offset: number; readonly limit: number; readonly bytes?: number }
  ) => Effect.Effect<StoredChunks, ResultNotFound>
  readonly remove: (id: ResultId) => Effect.Effect<void>
}>()("openaccounts/Features/Results/Kept/KeptResults") {
  static readonly layer = Layer.effect(
    KeptResults,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const retention = yield* resultRetention
      const transaction = inTransaction(sql)

      yield* sweepTable({
        lock,
        what: "kept results",
        table: "results",
        batch: 100,
        isOld: (now) => sql`expires_at <= ${now}`
      })

      /** Takes the room that the chunks need. Results that are being written count too. */
      const reserve = Effect.fnUntraced(function*(id: ResultId, origin: ResultOrigin, { bytes, rows }: KeptTable) {
        const now = yield* Clock.currentTimeMillis
        const expiresAt = new Date(now + Duration.toMillis(retention))
        const inserted = yield* transaction(Effect.andThen(
          lockOfMember(sql, "results", origin.memberId),
          sql`
            INSERT INTO results (
              id, member_id, holder, connection_id, provider, names, urls, bounds, part, rows, bytes, is_complete,
              created_at, expires_at
            )
            SELECT ${id}, ${origin.memberId}, ${origin.holder}, ${origin.connectionId}, ${origin.provider},
              ${textArray(origin.names)}, ${textArray(origin.urls)}, ${origin.bounds},
              ${origin.part && PgTypes.jsonb(origin.part)}, ${rows}, ${bytes}::bigint, false,
              ${new Date(now)}, ${expiresAt}
            WHERE ${bytes}::bigint + ${taken(origin.memberId, now)} <= ${maxBytes}::bigint
            RETURNING id`
        ))
        if (inserted.length === 1) return expiresAt
        return yield* new PayloadTooLarge({
          message: "The member's kept results would take more than 1 GiB. Delete some, or select less."
        })
      })

      const taken = (member: MemberId, now: number) =>
        sql`(
          SELECT coalesce(sum(bytes), 0) FROM results WHERE member_id = ${member} AND expires_at > ${new Date(now)}
        )`

      /** Takes the room of the first chunks that fit, and returns them. */
      const enlarge = Effect.fnUntraced(function*(
        id: ResultId,
        member: MemberId,
        chunks: ReadonlyArray<GrowingChunk>
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* lockOfMember(sql, "results", member)
        const before = yield* countOf(sql`SELECT ${taken(member, now)}::float8`)
        let bytes = 0
        const fitting: Array<GrowingChunk> = []
        for (const chunk of chunks) {
          const length = Buffer.byteLength(chunk.json)
          if (before + bytes + length > maxBytes) break
          bytes += length
          fitting.push(chunk)
        }
        const rows = fitting.reduce((sum, chunk) => sum + chunk.rows, 0)
        yield* sql`UPDATE results SET rows = rows + ${rows}, bytes = bytes + ${bytes}::bigint WHERE id = ${id}`
        return fitting
      }, transaction)

      const insert = runBulk(sql, bulkInsert(sql, "result_chunks", chunkTypes))

      const insertChunks = Effect.fnUntraced(function*(
        resultId: ResultId,
        chunks: ReadonlyArray<Chunk & { readonly source?: ResultSource }>
      ) {
        const rows = yield* Effect.forEach(
          chunks,
          ({ firstRow, json, rows, source = null }) =>
            Effect.map(newId("chk"), (id) => {
              const { bytes, encryptionKeyId } = vault.encrypt(id, Redacted.make(json))
              return {
                id,
                result_id: resultId,
                first_row: firstRow,
                rows,
                bytes,
                encryption_key_id: encryptionKeyId,
                source
              }
            })
        )
        yield* Effect.orDie(insert(rows))
        // Encrypting many chunks must not hold other calls.
        yield* Effect.yieldNow
      })

      const remove = (id: ResultId) => Effect.orDie(Effect.asVoid(sql`DELETE FROM results WHERE id = ${id}`))

      const decryptChunk = (chunk: typeof ChunkRow.Type) =>
        Effect.map(
          Effect.catchTag(vault.decrypt(chunk.id, chunk), "DecryptionFailed", (error) =>
            Effect.andThen(
              Effect.logError("A kept result is lost", error),
              Effect.fail(new ResultNotFound())
            )),
          Redacted.value
        )

      return KeptResults.of({
        keep: Effect.fnUntraced(function*(origin, table) {
          const id = ResultId.make(yield* newId("res"))
          const expiresAt = yield* reserve(id, origin, table)
          const columns = { firstRow: -1, rows: 0, json: JSON.stringify(table.columns) }
          yield* Effect.onExit(
            Effect.forEach([columns, ...table.chunks], (chunk) => insertChunks(id, [chunk]), { discard: true }),
            (exit) => Exit.isSuccess(exit) ? Effect.void : Effect.ignoreCause(remove(id))
          )
          yield* Effect.orDie(sql`UPDATE results SET is_complete = true WHERE id = ${id}`)
          return { id, columns: table.columns, rows: table.rows, bytes: table.bytes, expires_at: expiresAt }
        }),

        grow: Effect.fnUntraced(function*({ expiresAt, id, ...origin }, columns) {
          yield* remove(id)
          yield* Effect.orDie(sql`
            INSERT INTO results (
              id, member_id, holder, connection_id, provider, names, urls, bounds, rows, bytes, is_complete,
              created_at, expires_at
            ) VALUES (${id}, ${origin.memberId}, ${origin.holder}, NULL, ${origin.provider}, '{}', '{}', '', 0, 0, false,
              ${new Date(yield* Clock.currentTimeMillis)}, ${expiresAt})`)
          yield* insertChunks(id, [{ firstRow: -1, rows: 0, json: JSON.stringify(columns) }])
          let firstRow = 0
          return {
            add: Effect.fnUntraced(function*(chunks) {
              const fitting = yield* enlarge(id, origin.memberId, chunks)
              const placed = fitting.map((chunk) => {
                const at = firstRow
                firstRow += chunk.rows
                return { ...chunk, firstRow: at }
              })
              if (placed.length > 0) yield* insertChunks(id, placed)
              return fitting.length === chunks.length
            }),
            end: (part) =>
              Effect.orDie(Effect.asVoid(sql`
                UPDATE results SET is_complete = true, part = ${part && PgTypes.jsonb(part)} WHERE id = ${id}`))
          }
        }),

        parts: ({ id }) =>
          partRows.all(sql`
            SELECT id, first_row AS "firstRow", rows, octet_length(bytes) AS length, source FROM result_chunks
            WHERE result_id = ${id} AND first_row >= 0 ORDER BY first_row`),

        find: Effect.fnUntraced(function*(holder, id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          // No id has a NUL, which Postgres refuses.
          const found = id.includes("\0") ? Option.none() : yield* results.first(sql`
            SELECT ${stored(sql)} FROM results
            WHERE id = ${id} AND holder = ${holder} AND is_complete AND expires_at > ${now}`)
          return Option.isSome(found) ? found.value : yield* new ResultNotFound()
        }),

        list: Effect.fnUntraced(function*(holder, page) {
          const now = new Date(yield* Clock.currentTimeMillis)
          return yield* selectNewest(sql, page, (after, end) =>
            results.all(sql`
              SELECT ${stored(sql)} FROM results
              WHERE holder = ${holder} AND is_complete AND expires_at > ${now} AND ${after} ${end}`))
        }),

        columns: Effect.fnUntraced(function*({ id }) {
          const [row] = yield* chunks.all(sql`
            SELECT ${ofChunk(sql)} FROM result_chunks WHERE result_id = ${id} AND first_row = -1`)
          return row === undefined ? yield* new ResultNotFound() : decodeColumns(yield* decryptChunk(row))
        }),

        briefColumns: Effect.fnUntraced(function*({ id }) {
          const row = yield* chunks.first(sql`
            SELECT ${ofChunk(sql)} FROM result_chunks
            WHERE result_id = ${id} AND first_row = -1 AND octet_length(bytes) <= ${maxBriefBytes}`)
          return Option.isSome(row) ? Option.some(decodeColumns(yield* decryptChunk(row.value))) : Option.none()
        }),

        chunks: Effect.fnUntraced(function*({ id, parts }, { bytes = Infinity, limit, offset }) {
          const found = parts?.filter(({ firstRow, rows }) => firstRow < offset + limit && firstRow + rows > offset) ??
            (yield* positions.all(sql`
              SELECT id, first_row AS "firstRow", octet_length(bytes) AS length FROM result_chunks
              WHERE result_id = ${id} AND first_row >= 0 AND first_row < ${offset + limit}
                AND first_row + rows > ${offset}
              ORDER BY first_row`))
          const read: Array<StoredChunk> = []
          let left = bytes
          for (const { firstRow, id, length } of found) {
            if (left <= 0) return { chunks: read, isComplete: false }
            if (read.length > 0) left -= length
            const [row] = yield* chunks.all(sql`SELECT ${ofChunk(sql)} FROM result_chunks WHERE id = ${id}`)
            // The result was deleted in the meantime.
            if (row === undefined) return yield* new ResultNotFound()
            read.push({ firstRow, json: new TextEncoder().encode(yield* decryptChunk(row)) })
            yield* Effect.yieldNow
          }
          return { chunks: read, isComplete: true }
        }),

        remove
      })
    })
  )
}
