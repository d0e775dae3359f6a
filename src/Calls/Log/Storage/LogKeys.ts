import { Duration, Effect, Option, Redacted, Schedule, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import type { CallId } from "../../../Domain/Ids.ts"
import { idMillis, newId } from "../../../Domain/NewId.ts"
import { reEncryptById } from "../../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../../Secrets/Vault.ts"
import { advisoryLock } from "../../../Sql/AdvisoryLock.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"
import { day, startOfDay } from "./LogDay.ts"
import { logRetention } from "./Retention.ts"

const lock = advisoryLock("logKeys", 7_226_942)

export interface LogKey {
  readonly id: string
  readonly key: KeyObject
}

/** The most decrypted keys in memory. Beyond it, all are read again. */
const capacity = 1000

const daysAfterRetention = 2

const KeyRow = Schema.Struct({ ...Encrypted.fields, id: Schema.String })
export const keyRows = rowsOf(KeyRow)

/** A new key, and what to store of it. */
export const newLogKey = (vault: Vault["Service"]) =>
  Effect.map(newId("lgk"), (id) => {
    const secret = randomBytes(32)
    return { id, key: createSecretKey(secret), ...vault.encrypt(id, Redacted.make(secret.toString("base64"))) }
  })

/** None if the encryption key of the row is missing. */
export const openLogKey = (
  vault: Vault["Service"],
  row: typeof KeyRow.Type
): Effect.Effect<Option.Option<KeyObject>> =>
  Effect.option(Effect.map(
    vault.decrypt(row.id, row),
    (secret) => createSecretKey(Buffer.from(Redacted.value(secret), "base64"))
  ))

export const logKeySecrets: StoredSecrets = {
  cursor: "lgk_",
  lost: "other_data",
  reEncryption: reEncryptById({ table: "log_keys", bytes: "bytes" })
}

/**
 * The keys of the log's bodies. Each instance makes one for each day, and the vault encrypts it. A rotation of the
 * encryption keys therefore leaves the log as it is, in ClickHouse too.
 */
export const makeLogKeys = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  const retention = yield* logRetention
  const known = new Map<string, KeyObject>()
  let own: ReadonlyArray<typeof KeyRow.Type & LogKey & { readonly day: number }> = []
  const oneByOne = yield* Semaphore.make(1)

  yield* sweepTable({
    lock,
    what: "keys of the log",
    table: "log_keys",
    isOld: (now) =>
      sql`day < ${new Date(
        now.getTime() - Duration.toMillis(Duration.sum(retention, Duration.days(daysAfterRetention)))
      )}`
  })

  const store = ({ bytes, day, encryptionKeyId, id }: typeof KeyRow.Type & { readonly day: number }) =>
    sql`
      INSERT INTO log_keys (id, day, bytes, encryption_key_id)
      VALUES (${id}, ${new Date(day)}, ${bytes}, ${encryptionKeyId}) ON CONFLICT DO NOTHING`

  // A promoted replica may lack the latest keys.
  yield* Effect.suspend(() => Effect.forEach(own, store, { discard: true })).pipe(
    Effect.catch((error) => Effect.logWarning("The keys of the log could not be stored again", error)),
    Effect.schedule(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )

  const ownAt = (millis: number) => own.find(({ day: start }) => start <= millis && millis < start + day)

  const make = Effect.fnUntraced(function* make(millis: number) {
    const made = ownAt(millis)
    if (made !== undefined) return made
    const key = { day: startOfDay(millis), ...yield* newLogKey(vault) }
    yield* store(key)
    // Today and yesterday, for calls that began before midnight.
    own = [...own.slice(-1), key]
    return key
  })

  /** The key of this instance for the day of a call. */
  const keyOf = (id: CallId) =>
    Effect.suspend(() => {
      const millis = idMillis(id)
      const key = ownAt(millis)
      return key === undefined ? oneByOne.withPermits(1)(make(millis)) : Effect.succeed<LogKey>(key)
    })

  /** `undefined` if the key was deleted, or its encryption key is missing. */
  const find = Effect.fnUntraced(function* find(id: string) {
    const inMemory = known.get(id)
    if (inMemory !== undefined) return inMemory
    const [row] = yield* keyRows.all(sql`
      SELECT id, bytes, encryption_key_id AS "encryptionKeyId" FROM log_keys WHERE id = ${id}`)
    if (row === undefined) return undefined
    const key = yield* openLogKey(vault, row)
    if (Option.isNone(key)) return undefined
    if (known.size >= capacity) known.clear()
    known.set(id, key.value)
    return key.value
  })

  return { keyOf, find }
})
