import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { type DecryptionFailed, Vault } from "../../src/Secrets/Vault.ts"
import { DataDir } from "../../src/Sql/DataDir.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const vaultWith = (settings: Readonly<Record<string, string>>) =>
  Layer.build(Layer.fresh(Vault.layer.pipe(Layer.provide(DataDir.layer)))).pipe(
    Effect.map((context) => Context.get(context, Vault)),
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

  it.effect("does not decrypt bytes of another connection", () =>
    Effect.gen(function*() {
      const { decrypt, encrypt } = yield* vault
      assert.strictEqual(
        yield* decryptionError(decrypt("con_2", encrypt("con_1", text))),
        "con_2 cannot be decrypted with its key \"k1\""
      )
    }))

  it.effect("does not decrypt bytes that were changed or cut", () =>
    Effect.gen(function*() {
      const { decrypt, encrypt } = yield* vault
      const { bytes, encryptionKeyId } = encrypt("con_1", text)
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

  it.effect.each([
    { what: "a key without an id", setting: key(7), says: "entry 1 is not of the form kid:base64(32 bytes)" },
    {
      what: "a key that is too short",
      setting: `k1:${key(7).slice(4)}`,
      says: "entry 1 is not of the form kid:base64(32 bytes)"
    },
    {
      what: "a key that is too long",
      setting: `k1:${key(7).slice(0, -1)}AAAA=`,
      says: "entry 1 is not of the form kid:base64(32 bytes)"
    },
    {
      what: "a key that is not base64",
      setting: `k1:${key(7)}!`,
      says: "entry 1 is not of the form kid:base64(32 bytes)"
    },
    { what: "an id with a space", setting: `k 1:${key(7)}`, says: "entry 1 is not of the form kid:base64(32 bytes)" },
    {
      what: "a second entry that is wrong",
      setting: `k1:${key(7)},k2`,
      says: "entry 2 is not of the form kid:base64(32 bytes)"
    },
    { what: "an id that appears twice", setting: `k1:${key(7)},k1:${key(7)}`, says: "key id \"k1\" appears twice" },
    { what: "nothing but commas", setting: " , ", says: "is empty" }
  ])("rejects $what without printing it", ({ says, setting }) =>
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
