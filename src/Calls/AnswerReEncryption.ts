import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Encrypted, Vault } from "../Connections/Vault.ts"
import { CallId } from "../Domain/Ids.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch, UndecryptedCredentials } from "../Domain/ReEncryption.ts"
import { rowsOf, selectPage } from "../Sql/Rows.ts"

/** For the stored answers of repeatable writes. Cached responses are dropped instead: they can be requested again. */
export class AnswerReEncryption extends Context.Service<AnswerReEncryption, {
  readonly rotate: (page: PageRequest) => Effect.Effect<Omit<RotatedBatch, "key_id">>
  readonly remaining: Effect.Effect<number>
}>()("openaccounts/Calls/AnswerReEncryption") {
  static readonly layer = Layer.effect(
    AnswerReEncryption,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const isOutdated = sql`encryption_key_id <> ${vault.keyId}`

      const outdated = ({ cursor, limit }: PageRequest) =>
        selectPage(limit, (count) =>
          answers.all(sql`
            SELECT call_id AS id, answer AS bytes, encryption_key_id AS "encryptionKeyId" FROM idempotency_keys
            WHERE ${isOutdated} AND ${cursor === undefined ? sql`true` : sql`call_id < ${cursor}`}
            ORDER BY call_id DESC LIMIT ${count}`))

      const reEncrypt = ({ id, ...old }: typeof AnswerRow.Type) =>
        vault.decrypt(id, old).pipe(
          Effect.flatMap((text) => {
            const { bytes, encryptionKeyId } = vault.encrypt(id, text)
            return Effect.orDie(sql`
              UPDATE idempotency_keys SET answer = ${bytes}, encryption_key_id = ${encryptionKeyId}
              WHERE call_id = ${id} AND encryption_key_id = ${old.encryptionKeyId} RETURNING call_id`)
          }),
          Effect.map((written) => written.length),
          Effect.mapError(({ message }): UndecryptedCredentials => ({
            connection_id: null,
            encryption_key_id: old.encryptionKeyId,
            reason: message
          })),
          Effect.result
        )

      const remaining = Effect.map(
        counts.first(sql`SELECT count(*)::int AS count FROM idempotency_keys WHERE ${isOutdated}`),
        Option.match({ onNone: () => 0, onSome: ({ count }) => count })
      )

      return AnswerReEncryption.of({
        remaining,
        rotate: Effect.fn("AnswerReEncryption.rotate")(function*(page) {
          yield* Effect.orDie(sql`DELETE FROM responses WHERE ${isOutdated}`)
          const { cursor, items } = yield* outdated(page)
          const results = yield* Effect.forEach(items, reEncrypt, { concurrency })
          return {
            rotated: results.filter(Result.isSuccess).reduce((sum, { success }) => sum + success, 0),
            remaining: yield* remaining,
            failed: results.filter(Result.isFailure).map(({ failure }) => failure),
            cursor
          }
        })
      })
    })
  )
}

const concurrency = 8

const AnswerRow = Schema.Struct({ ...Encrypted.fields, id: CallId })
const answers = rowsOf(AnswerRow)
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))
