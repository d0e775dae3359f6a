import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OpenLinks } from "../../Connections/Connect/OpenLinks.ts"
import { Connection } from "../../Domain/Connection.ts"
import { redacted } from "../../Secrets/Redaction/JsonFields.ts"
import { type DecryptionFailed, Vault } from "../../Secrets/Vault.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { inTransaction } from "../../Sql/Transaction.ts"
import type { StoredEvent } from "./TextFormats.ts"

/**
 * The body of every attempt to deliver an event. `connection.expired` has a link to reconnect the connection. The link
 * is a secret, so the text is stored encrypted, and the body that deliveries show has it redacted.
 */
export const makeEventText = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const links = yield* OpenLinks

  const expiredText = ({ id }: StoredEvent) =>
    inTransaction(sql)(Effect.gen(function*() {
      const [event] = yield* stored.all(
        sql`SELECT body, sealed_body AS bytes, encryption_key_id AS "encryptionKeyId" FROM events WHERE id = ${id} FOR UPDATE`
      )
      if (event === undefined) return yield* Effect.die(new Error(`The event ${id} is gone`))
      const { body, bytes, encryptionKeyId } = event
      if (bytes !== null && encryptionKeyId !== null) {
        return Redacted.value(yield* vault.decrypt(id, { bytes, encryptionKeyId }))
      }
      const { data, ...message } = decode(body)
      const withUrl = (connect_url: string | null) => encode({ ...message, data: { ...data, connect_url } })
      const url = data.connect_url === null ? null : yield* links.reconnectUrl(data.connection)
      const text = withUrl(url)
      const encrypted = vault.encrypt(id, Redacted.make(text))
      yield* sql`UPDATE events SET body = ${withUrl(url === null ? null : redacted)}, sealed_body = ${encrypted.bytes},
        encryption_key_id = ${encrypted.encryptionKeyId} WHERE id = ${id}`
      return text
    }))

  return (event: StoredEvent): Effect.Effect<string, DecryptionFailed> =>
    event.type === "connection.expired" ? expiredText(event) : Effect.succeed(event.body)
})

const ExpiredMessage = Schema.fromJsonString(Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: Schema.Struct({
    connection: Connection,
    reason: Schema.String,
    connect_url: Schema.NullOr(Schema.String).pipe(Schema.optionalKey)
  })
}))
const decode = Schema.decodeSync(ExpiredMessage)
const encode = Schema.encodeSync(ExpiredMessage)

const stored = rowsOf(Schema.Struct({
  body: Schema.String,
  bytes: Schema.NullOr(Schema.Uint8Array),
  encryptionKeyId: Schema.NullOr(Schema.String)
}))
