import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { lockDirectory } from "../../src/Sql/DirectoryLock.ts"

/** A folder that may be held, and the file that says so. */
const world = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = `${yield* fs.makeTempDirectoryScoped()}/db`
  const file = `${folder}.pid`
  return { fs, folder, file, holder: Effect.map(fs.readFileString(file), (text) => Number(text)) }
})

describe("the folder of the embedded database", () => {
  it.effect("is held by one process, for as long as it runs", () =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* Effect.scoped(Effect.gen(function*() {
        yield* lockDirectory(folder)
        assert.strictEqual(yield* holder, process.pid)
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      }))
      assert.isFalse(yield* fs.exists(file))
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is refused to a second process, which is told who has it and what to do", () =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      // A process that surely runs.
      yield* fs.writeFileString(file, `${process.ppid}\n`)
      const { message } = yield* Effect.flip(Effect.scoped(lockDirectory(folder)))
      assert.include(message, `in use by process ${process.ppid}`)
      assert.include(message, "DATA_DIR")
      assert.include(message, file)
      assert.strictEqual(yield* holder, process.ppid)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each([
    { what: "a process that is gone", text: "4194303\n" },
    { what: "a process of this id in an earlier life", text: `${process.pid}\n` },
    { what: "nobody", text: "" },
    { what: "something else", text: "Minus one? -1" }
  ])("is taken over from $what", ({ text }) =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* fs.writeFileString(file, text)
      yield* lockDirectory(folder)
      assert.strictEqual(yield* holder, process.pid)
    }).pipe(Effect.provide(NodeServices.layer)))
})
