import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Redacted } from "effect"
import { type DecryptionFailed, Vault } from "../../src/Secrets/Vault.ts"
import { DataDir } from "../../src/Sql/DataDir.ts"
import { fresh } from "../Sql/OtherInstance.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const vaultWith = (settings: Readonly<Record<string, string>>) =>
  fresh(Vault, Vault.layer.pipe(Layer.provide(DataDir.layer))).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings)),
    Effect.provide(NodeServices.layer)
  )

const vault = vaultWith({ ENCRYPTION_KEYS: `k1:${key(1)}` })

const text = Redacted.make("1//a refresh token")

const decryptionError = (decrypted: Effect.Effect<unknown, DecryptionFailed>) =>
  Effect.map(Effect.flip(decrypted), ({ message }) => message)

describe("Vault", () => {
  it.effect("opens what it encrypted, and the encrypted bytes do not contain the text", () =>
    Effect.gen(function*() {
      const { decrypt, encrypt } = yield* vault
      const encrypted = encrypt("con_1", text)
      assert.strictEqual(Redacted.value(yield* decrypt("con_1", encrypted)), Redacted.value(text))
      assert.strictEqual(encrypted.encryptionKeyId, "k1")
      assert.strictEqual(encrypted.bytes.length, 12 + Buffer.byteLength(Redacted.value(text)) + 16)
      assert.notInclude(Buffer.from(encrypted.bytes).toString("latin1"), "refresh")
      assert.notDeepEqual(encrypt("con_1", text).bytes, encrypted.bytes)
    }))

  it.effect("does not decrypt bytes of another connection, nor those that were changed or cut", () =>
    Effect.gen(function*() {
      const { decrypt, encrypt } = yield* vault
      const encrypted = encrypt("con_1", text)
      const message = yield* decryptionError(decrypt("con_2", encrypted))
      assert.strictEqual(message, "con_2 cannot be decrypted with its key \"k1\"")
      const { bytes, encryptionKeyId } = encrypted
      for (let at = 0; at < bytes.length; at++) {
        const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1)
        yield* decryptionError(decrypt("con_1", { encryptionKeyId, bytes: changed }))
        yield* decryptionError(decrypt("con_1", { encryptionKeyId, bytes: bytes.slice(0, at) }))
      }
    }))

  it.effect("seals with the first key and opens with all keys", () =>
    Effect.gen(function*() {
      const old = yield* vault
      const rotated = yield* vaultWith({ ENCRYPTION_KEYS: ` k2:${key(2)}, k1:${key(1)} ` })
      assert.strictEqual(
        Redacted.value(yield* rotated.decrypt("con_1", old.encrypt("con_1", text))),
        Redacted.value(text)
      )
      const encrypted = rotated.encrypt("con_1", text)
      assert.strictEqual(encrypted.encryptionKeyId, "k2")
      assert.strictEqual(
        yield* decryptionError(old.decrypt("con_1", encrypted)),
        "con_1 is encrypted with key \"k2\", which is not in ENCRYPTION_KEYS"
      )
      const swapped = yield* vaultWith({ ENCRYPTION_KEYS: `k2:${key(1)}` })
      assert.strictEqual(
        yield* decryptionError(swapped.decrypt("con_1", encrypted)),
        "con_1 cannot be decrypted with its key \"k2\""
      )
    }))

  const form = "is not of the form kid:base64(32 bytes)"
  it.effect.each<[what: string, setting: string, says: string]>([
    ["a key without an id", key(7), `entry 1 ${form}`],
    ["a key that is too short", `k1:${key(7).slice(4)}`, `entry 1 ${form}`],
    ["a key that is too long", `k1:${key(7).slice(0, -1)}AAAA=`, `entry 1 ${form}`],
    ["a key that is not base64", `k1:${key(7)}!`, `entry 1 ${form}`],
    ["an id with a space", `k 1:${key(7)}`, `entry 1 ${form}`],
    ["a second entry that is wrong", `k1:${key(7)},k2`, `entry 2 ${form}`],
    ["an id that appears twice", `k1:${key(7)},k1:${key(7)}`, "key id \"k1\" appears twice"],
    ["nothing but commas", " , ", "is empty"]
  ])("rejects %s without printing it", ([, setting, says]) =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(vaultWith({ ENCRYPTION_KEYS: setting }))
      assert.include(message, "ENCRYPTION_KEYS")
      assert.include(message, says)
      assert.notInclude(message, key(7).slice(0, 8))
    }))

  it.effect("requires ENCRYPTION_KEYS with DATABASE_URL", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(vaultWith({ DATABASE_URL: "postgres://localhost/oa" }))
      assert.include(message, "ENCRYPTION_KEYS must be set when DATABASE_URL is")
    }))

  it.effect("generates a key for the embedded database and reuses it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const settings = { DATA_DIR: `${folder}/data` }
      const encrypted = (yield* vaultWith(settings)).encrypt("con_1", text)
      const file = yield* fs.stat(`${folder}/data/encryption-keys`)
      assert.strictEqual(file.mode & 0o777, 0o600)
      assert.strictEqual((yield* fs.stat(`${folder}/data`)).mode & 0o777, 0o700)
      assert.strictEqual(
        Redacted.value(yield* (yield* vaultWith(settings)).decrypt("con_1", encrypted)),
        Redacted.value(text)
      )
    }).pipe(Effect.provide(NodeServices.layer)))
})
