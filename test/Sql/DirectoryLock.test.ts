import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { lockDirectory } from "../../src/Sql/DirectoryLock.ts"

const world = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = `${yield* fs.makeTempDirectoryScoped()}/db`
  const file = `${folder}.pid`
  return { fs, folder, file, holder: Effect.map(fs.readFileString(file), (text) => Number(text)) }
})

describe("the folder of the embedded database", () => {
  it.effect("is locked by one process while it runs", () =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* Effect.scoped(Effect.gen(function*() {
        yield* lockDirectory(folder)
        assert.strictEqual(yield* holder, process.pid)
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      }))
      assert.isFalse(yield* fs.exists(file))
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is rejected for a second process, with the holder and a remedy", () =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      // The parent process is running.
      yield* fs.writeFileString(file, `${process.ppid}\n`)
      const { message } = yield* Effect.flip(Effect.scoped(lockDirectory(folder)))
      assert.include(message, `in use by process ${process.ppid}`)
      assert.include(message, "DATA_DIR")
      assert.include(message, file)
      assert.strictEqual(yield* holder, process.ppid)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each([
    { what: "a process that is gone", text: "4194303\n" },
    { what: "an earlier process with this id", text: `${process.pid}\n` },
    { what: "an empty file", text: "" },
    { what: "an invalid file", text: "Minus one? -1" }
  ])("replaces a lock of $what", ({ text }) =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* fs.writeFileString(file, text)
      yield* lockDirectory(folder)
      assert.strictEqual(yield* holder, process.pid)
    }).pipe(Effect.provide(NodeServices.layer)))
})
