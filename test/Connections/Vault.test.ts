import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Context, Effect, Exit, FileSystem, Layer, Redacted } from "effect"
import { Unsealable, Vault } from "../../src/Connections/Vault.ts"
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

const unsealable = Effect.fnUntraced(function*(open: Effect.Effect<unknown>) {
  const exit = yield* Effect.exit(open)
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return defect instanceof Unsealable ? defect.message : assert.fail("it opened")
})

describe("Vault", () => {
  it.effect("opens what it sealed, and the sealed bytes do not contain the text", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* vault
      const sealed = seal("con_1", text)
      assert.strictEqual(Redacted.value(yield* open("con_1", sealed)), Redacted.value(text))
      assert.strictEqual(sealed.encryptionKeyId, "k1")
      assert.strictEqual(sealed.bytes.length, 12 + Buffer.byteLength(Redacted.value(text)) + 16)
      assert.notInclude(Buffer.from(sealed.bytes).toString("latin1"), "refresh")
      assert.notDeepEqual(seal("con_1", text).bytes, sealed.bytes)
    }))

  it.effect("does not open bytes of another connection", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* vault
      assert.strictEqual(
        yield* unsealable(open("con_2", seal("con_1", text))),
        "con_2 does not open under its key \"k1\""
      )
    }))

  it.effect("does not open bytes that were changed or cut", () =>
    Effect.gen(function*() {
      const { open, seal } = yield* vault
      const { bytes, encryptionKeyId } = seal("con_1", text)
      for (let at = 0; at < bytes.length; at++) {
        const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1)
        yield* unsealable(open("con_1", { encryptionKeyId, bytes: changed }))
        yield* unsealable(open("con_1", { encryptionKeyId, bytes: bytes.slice(0, at) }))
      }
    }))

  it.effect("seals with the first key and opens with all keys", () =>
    Effect.gen(function*() {
      const old = yield* vault
      const rotated = yield* vaultWith({ ENCRYPTION_KEYS: ` k2:${key(2)}, k1:${key(1)} ` })
      assert.strictEqual(Redacted.value(yield* rotated.open("con_1", old.seal("con_1", text))), Redacted.value(text))
      const sealed = rotated.seal("con_1", text)
      assert.strictEqual(sealed.encryptionKeyId, "k2")
      assert.strictEqual(
        yield* unsealable(old.open("con_1", sealed)),
        "con_1 is sealed under key \"k2\", not in ENCRYPTION_KEYS"
      )
      const swapped = yield* vaultWith({ ENCRYPTION_KEYS: `k2:${key(1)}` })
      assert.strictEqual(
        yield* unsealable(swapped.open("con_1", sealed)),
        "con_1 does not open under its key \"k2\""
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
    { what: "an id that stands twice", setting: `k1:${key(7)},k1:${key(7)}`, says: "key id \"k1\" stands twice" },
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
      const sealed = (yield* vaultWith(settings)).seal("con_1", text)
      const file = yield* fs.stat(`${folder}/data/encryption-keys`)
      assert.strictEqual(file.mode & 0o777, 0o600)
      assert.strictEqual((yield* fs.stat(`${folder}/data`)).mode & 0o777, 0o700)
      assert.strictEqual(
        Redacted.value(yield* (yield* vaultWith(settings)).open("con_1", sealed)),
        Redacted.value(text)
      )
    }).pipe(Effect.provide(NodeServices.layer)))
})
