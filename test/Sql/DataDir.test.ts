import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { lockDirectory } from "../../src/Sql/Client/DirectoryLock.ts"
import { closeToOthers, DataDir, findAccessible } from "../../src/Sql/DataDir.ts"

const world = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = `${yield* fs.makeTempDirectoryScoped()}/data`
  const open = (path = folder) =>
    DataDir.use((dataDir) => dataDir.path("db")).pipe(
      Effect.provide(DataDir.layer.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: path })))
      ))
    )
  const modeOf = (path: string) => Effect.map(fs.stat(path), ({ mode }) => mode & 0o777)
  return { fs, folder, open, modeOf }
})

describe("DATA_DIR", () => {
  it.effect("is created closed to others", () =>
    Effect.gen(function*() {
      const { folder, modeOf, open } = yield* world
      assert.strictEqual(yield* open(), `${folder}/db`)
      assert.strictEqual(yield* modeOf(folder), 0o700)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each([0o755, 0o777, 0o710])(
    "is closed to others when it has only files of the service: mode %o",
    (mode) =>
      Effect.gen(function*() {
        const { folder, fs, modeOf, open } = yield* world
        yield* fs.makeDirectory(`${folder}/db`, { recursive: true })
        yield* fs.chmod(folder, mode)
        yield* open()
        assert.strictEqual(yield* modeOf(folder), 0o700)
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is refused, with a remedy, when others can open it and it has other files", () =>
    Effect.gen(function*() {
      const { folder, fs, modeOf, open } = yield* world
      yield* fs.makeDirectory(`${folder}/public_html`, { recursive: true })
      yield* fs.chmod(folder, 0o755)
      const { message } = yield* Effect.flip(open())
      assert.include(message, `chmod go= ${folder}`)
      assert.include(message, `${folder}/openaccounts`)
      assert.strictEqual(yield* modeOf(folder), 0o755)

      yield* fs.chmod(folder, 0o700)
      yield* open()
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is refused with a sentence where the service cannot write its files", () =>
    Effect.gen(function*() {
      const { folder, fs, open } = yield* world
      const database = yield* open()
      yield* fs.makeDirectory(`${folder}/db.pid`)
      const { _tag, message } = yield* Effect.flip(Effect.scoped(lockDirectory(database)))
      assert.strictEqual(_tag, "DataDirUnusable")
      assert.include(message, `${folder}/db.pid, of DATA_DIR, cannot be used`)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is refused with a sentence where it cannot be made or is no folder", () =>
    Effect.gen(function*() {
      const { folder, fs, open } = yield* world
      yield* fs.writeFileString(folder, "")
      for (const path of ["/proc/openaccounts", "/proc/openaccounts/data", folder, `${folder}/data`]) {
        const { _tag, message } = yield* Effect.flip(open(path))
        assert.strictEqual(_tag, "DataDirUnusable")
        assert.include(message, path)
        assert.include(message, "Set DATA_DIR to a folder in which this user can write.")
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is closed with everything below it, but not what links point to", () =>
    Effect.gen(function*() {
      const { folder, fs, modeOf } = yield* world
      yield* fs.makeDirectory(`${folder}/db/base`, { recursive: true })
      yield* fs.writeFileString(`${folder}/db/base/1`, "")
      yield* fs.chmod(`${folder}/db/base/1`, 0o666)
      yield* fs.writeFileString(`${folder}/outside`, "")
      yield* fs.chmod(`${folder}/outside`, 0o644)
      yield* fs.symlink(`${folder}/outside`, `${folder}/db/link`)
      yield* closeToOthers(`${folder}/db`)
      assert.deepStrictEqual(yield* findAccessible(`${folder}/db`), [])
      assert.strictEqual(yield* modeOf(`${folder}/db/base/1`), 0o600)
      assert.strictEqual(yield* modeOf(`${folder}/outside`), 0o644)
      assert.deepStrictEqual(yield* findAccessible(`${folder}/missing`), [])
    }).pipe(Effect.provide(NodeServices.layer)))
})
