import { Config, Context, Data, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { databaseUrl } from "../Settings.ts"
import { DataDir } from "../Sql/DataDir.ts"
import { decryptBytes, encryptBytes } from "./Cipher.ts"

export const Encrypted = Schema.Struct({
  encryptionKeyId: Schema.String,
  bytes: Schema.Uint8Array
})
export type Encrypted = typeof Encrypted.Type

export class EncryptionKeysMissing extends Data.TaggedError("EncryptionKeysMissing")<{ readonly message: string }> {}
export class EncryptionKeysInvalid extends Data.TaggedError("EncryptionKeysInvalid")<{ readonly message: string }> {}

/** The message has the id and the key id. */
export class DecryptionFailed
  extends Data.TaggedError("DecryptionFailed")<{ readonly message: string; readonly cause?: unknown }>
{}

/**
 * AES-256-GCM with the keys of `ENCRYPTION_KEYS`. The first key encrypts, every key decrypts. `id` appears in messages.
 * `additionalData` (by default the id) must be the same for both.
 */
export class Vault extends Context.Service<Vault, {
  readonly keyId: string
  /** The ids of all keys. Each of them decrypts. */
  readonly keyIds: ReadonlySet<string>
  /** `ENCRYPTION_KEYS`, or the file from which the keys come. */
  readonly source: string
  readonly encrypt: (id: string, text: Redacted.Redacted, additionalData?: string) => Encrypted
  readonly decrypt: (
    id: string,
    encrypted: Encrypted,
    additionalData?: string
  ) => Effect.Effect<Redacted.Redacted, DecryptionFailed>
}>()("openaccounts/Secrets/Vault") {
  static readonly layer = Layer.effect(
    Vault,
    Effect.gen(function*() {
      const { keys, source } = yield* encryptionKeys
      const [[firstId, firstKey]] = keys
      const byId = new Map(keys)

      return Vault.of({
        keyId: firstId,
        keyIds: new Set(byId.keys()),
        source,
        encrypt: (id, text, additionalData = id) => ({
          encryptionKeyId: firstId,
          bytes: encryptBytes(firstKey, Redacted.value(text), additionalData)
        }),
        decrypt: Effect.fnUntraced(function* decrypt(id, { bytes, encryptionKeyId }, additionalData = id) {
          const key = byId.get(encryptionKeyId)
          if (key === undefined) {
            return yield* new DecryptionFailed({
              message: `${id} is encrypted with key "${encryptionKeyId}", which is not in ENCRYPTION_KEYS`
            })
          }
          return yield* Effect.try({
            try: () => Redacted.make(decryptBytes(key, bytes, additionalData).toString("utf8")),
            catch: (cause) =>
              new DecryptionFailed({ message: `${id} cannot be decrypted with its key "${encryptionKeyId}"`, cause })
          })
        })
      })
    })
  )
}

/** The file of keys in `DATA_DIR`. Read only while `ENCRYPTION_KEYS` is not set. */
export const generatedKeys = "encryption-keys"

export const encryptionKeysSecrets = ["ENCRYPTION_KEYS"]

type EncryptionKeys = readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>]
type EncryptionKey = readonly [id: string, key: KeyObject]

const encryptionKeys = Effect.gen(function*() {
  const configured = yield* Config.option(Config.Redacted("ENCRYPTION_KEYS"))
  if (Option.isSome(configured)) {
    return { keys: yield* Effect.fromResult(parseKeys(configured.value)), source: "ENCRYPTION_KEYS" }
  }
  if (Option.isSome(yield* databaseUrl)) {
    return yield* new EncryptionKeysMissing({
      message: "ENCRYPTION_KEYS must be set when DATABASE_URL is: kid:base64(32 bytes). " +
        "Generate one with: echo \"k1:$(openssl rand -base64 32)\""
    })
  }
  const dataDir = yield* DataDir
  const generated = yield* dataDir.secret(generatedKeys, () => `k1:${randomBytes(32).toString("base64")}`)
  return { keys: yield* Effect.fromResult(parseKeys(generated)), source: yield* dataDir.path(generatedKeys) }
})

const parseKeys = (setting: Redacted.Redacted): Result.Result<EncryptionKeys, EncryptionKeysInvalid> =>
  Result.gen(function*() {
    const keys: Array<EncryptionKey> = []
    for (const part of Redacted.value(setting).split(",").map((text) => text.trim()).filter((text) => text !== "")) {
      const [, id, encoded] = /^([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9+/_=-]+)$/.exec(part) ?? []
      const key = Buffer.from(encoded ?? "", "base64")
      if (id === undefined || key.length !== 32) {
        return yield* Result.fail(
          new EncryptionKeysInvalid({
            message: `ENCRYPTION_KEYS: entry ${keys.length + 1} is not of the form kid:base64(32 bytes)`
          })
        )
      }
      if (keys.some(([other]) => other === id)) {
        return yield* Result.fail(
          new EncryptionKeysInvalid({ message: `ENCRYPTION_KEYS: key id "${id}" appears twice` })
        )
      }
      keys.push([id, createSecretKey(key)])
    }
    const [first, ...rest] = keys
    return first === undefined
      ? yield* Result.fail(new EncryptionKeysInvalid({ message: "ENCRYPTION_KEYS is empty" }))
      : [first, ...rest]
  })
