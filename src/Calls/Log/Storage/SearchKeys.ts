import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Vault } from "../../../Secrets/Vault.ts"
import { advisoryLock, withLock } from "../../../Sql/AdvisoryLock.ts"
import { keyRows, newLogKey, openLogKey } from "./LogKeys.ts"

const lock = advisoryLock("searchKeys")

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
    return (yield* Effect.forEach(rows, (row) => openLogKey(vault, row))).flatMap(Option.toArray)
  })

  const make = Effect.gen(function*() {
    const { bytes, encryptionKeyId, id, key } = yield* newLogKey(vault)
    yield* sql`INSERT INTO log_keys (id, day, bytes, encryption_key_id) VALUES (${id}, NULL, ${bytes}, ${encryptionKeyId})`
    return key
  })

  const own = yield* withLock(
    lock,
    Effect.flatMap(readable, ([first]) => first === undefined ? make : Effect.succeed(first))
  )
  return { own, readable }
})
