import { Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createSecretKey, randomBytes } from "node:crypto"
import { newId } from "../../../Domain/NewId.ts"
import { Encrypted, Vault } from "../../../Secrets/Vault.ts"
import { advisoryLock, withLock } from "../../../Sql/AdvisoryLock.ts"
import { rowsOf } from "../../../Sql/Rows.ts"

const lock = advisoryLock("searchKeys")

const keyRows = rowsOf(Schema.Struct({ ...Encrypted.fields, id: Schema.String }))

const keyOf = (text: Redacted.Redacted) => createSecretKey(Buffer.from(Redacted.value(text), "base64"))

/**
 * The key of the hashes of removed secrets: a row of `log_keys` without a day, which all instances share. A rotation
 * re-encrypts it. A service that cannot decrypt it makes another one.
 */
export const makeSearchKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault

  const readable = Effect.gen(function*() {
    const rows = yield* keyRows.all(sql`
      SELECT id, bytes, encryption_key_id AS "encryptionKeyId" FROM log_keys WHERE day IS NULL ORDER BY id`)
    const keys = yield* Effect.forEach(rows, (row) => Effect.option(vault.decrypt(row.id, row)))
    return keys.flatMap(Option.toArray).map(keyOf)
  })

  const make = Effect.gen(function*() {
    const id = yield* newId("lgk")
    const secret = Redacted.make(randomBytes(32).toString("base64"))
    const { bytes, encryptionKeyId } = vault.encrypt(id, secret)
    yield* sql`INSERT INTO log_keys (id, day, bytes, encryption_key_id) VALUES (${id}, NULL, ${bytes}, ${encryptionKeyId})`
    return keyOf(secret)
  })

  const own = yield* withLock(
    lock,
    Effect.flatMap(readable, ([first]) => first === undefined ? make : Effect.succeed(first))
  )
  return { own, readable }
})
