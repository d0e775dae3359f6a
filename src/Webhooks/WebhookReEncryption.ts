import { Context, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { reEncrypt } from "../Connections/ReEncryption.ts"
import { Encrypted, Vault } from "../Connections/Vault.ts"
import type { PageRequest } from "../Domain/Page.ts"
import type { RotatedBatch } from "../Domain/ReEncryption.ts"
import { rowsOf, selectPage } from "../Sql/Rows.ts"

export class WebhookReEncryption extends Context.Service<WebhookReEncryption, {
  readonly rotate: (page: PageRequest) => Effect.Effect<Omit<RotatedBatch, "key_id" | "remaining">>
  readonly remaining: Effect.Effect<number>
}>()("openaccounts/Webhooks/WebhookReEncryption") {
  static readonly layer = Layer.effect(
    WebhookReEncryption,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault

      const outdated = sql`
        SELECT id, bytes, encryption_key_id AS "encryptionKeyId" FROM (
          SELECT id, secret AS bytes, encryption_key_id FROM webhooks
          UNION ALL SELECT id, sealed_body, encryption_key_id FROM events WHERE sealed_body IS NOT NULL
        ) AS secrets WHERE encryption_key_id <> ${vault.keyId}`

      const write = (id: string, { encryptionKeyId: oldKeyId }: Encrypted) => ({ bytes, encryptionKeyId }: Encrypted) =>
        id.startsWith("whk_")
          ? sql`UPDATE webhooks SET secret = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE id = ${id} AND encryption_key_id = ${oldKeyId} RETURNING id`
          : sql`UPDATE events SET sealed_body = ${bytes}, encryption_key_id = ${encryptionKeyId}
            WHERE id = ${id} AND encryption_key_id = ${oldKeyId} RETURNING id`

      return WebhookReEncryption.of({
        remaining: Effect.map(
          counts.all(sql`SELECT count(*)::int AS count FROM (${outdated}) AS outdated`),
          ([row]) => row?.count ?? 0
        ),

        rotate: Effect.fn("WebhookReEncryption.rotate")(function*({ cursor, limit }) {
          const page = yield* selectPage(limit, (count) =>
            secrets.all(sql`
              ${outdated} AND ${
              cursor === undefined ? sql`true` : sql`id < ${cursor}`
            } ORDER BY id DESC LIMIT ${count}`))
          const results = yield* Effect.forEach(page.items, ({ id, ...old }) =>
            reEncrypt(old, {
              connectionId: null,
              decrypted: vault.decrypt(id, old),
              encrypt: (text) => vault.encrypt(id, text)
            }, write(id, old)), { concurrency: 8 })
          return {
            rotated: results.filter(Result.isSuccess).reduce((sum, { success }) => sum + success, 0),
            failed: results.filter(Result.isFailure).map(({ failure }) => failure),
            cursor: page.cursor
          }
        })
      })
    })
  )
}

const secrets = rowsOf(Schema.Struct({ ...Encrypted.fields, id: Schema.String }))
const counts = rowsOf(Schema.Struct({ count: Schema.Int }))
