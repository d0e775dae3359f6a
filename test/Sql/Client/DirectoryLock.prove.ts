import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import { lockDirectory } from "../../../src/Sql/Client/DirectoryLock.ts"
import { eventually } from "../../support/Eventually.ts"

const world = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = `${yield* fs.makeTempDirectoryScoped()}/db`
  const file = `${folder}.pid`
  return { fs, folder, file, holder: Effect.map(fs.readFileString(file), (text) => Number(text)) }
})

const program = new URL("../LockProcess.ts", import.meta.url).pathname

const lockProcess = (prefix: ReadonlyArray<string> = []) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const [command = "", ...args] = [...prefix, process.execPath, program]
        return spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true })
      }),
      (child) =>
        Effect.sync(() => {
          try {
            if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
          } catch {
          }
        })
    ),
    (child) => {
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      return {
        pid: child.pid ?? 0,
        lock: (folder: string) =>
          Effect.promise(async () => {
            child.stdin.write(`${folder}\n`)
            return String((await lines.next()).value)
          }),
        kill: Effect.promise(() =>
          new Promise<void>((resolve) => {
            child.once("exit", () => resolve())
            child.kill("SIGKILL")
          })
        )
      }
    }
  )

const newPidNamespace = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
const hasNamespaces = spawnSync("unshare", [...newPidNamespace.slice(1), "true"]).status === 0

describe("the folder of the embedded database", () => {
  it.effect("is locked by one process while it runs", () =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* Effect.scoped(Effect.gen(function*() {
        yield* lockDirectory(folder)
        assert.strictEqual(yield* holder, process.pid)
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
        assert.strictEqual((yield* fs.stat(`${folder}.lock`)).mode & 0o777, 0o600)
      }))
      assert.isFalse(yield* fs.exists(file))
      yield* lockDirectory(folder)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("is rejected for a second use in the same process", () =>
    Effect.gen(function*() {
      const { folder, fs } = yield* world
      yield* lockDirectory(folder)
      assert.strictEqual((yield* Effect.flip(Effect.scoped(lockDirectory(folder))))._tag, "DirectoryInUse")
      assert.isTrue(yield* fs.exists(`${folder}.pid`))
      assert.include(yield* (yield* lockProcess()).lock(folder), `in use by process ${process.pid}`)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live("is locked by exactly one of two processes that start together, five times", () =>
    Effect.gen(function*() {
      const { folder } = yield* world
      const processes = yield* Effect.all([lockProcess(), lockProcess()])
      for (let round = 0; round < 5; round++) {
        const locks = processes.map(({ lock }) => lock(`${folder}${round}`))
        const results = yield* Effect.all(locks, { concurrency: "unbounded" })
        assert.lengthOf(results.filter((result) => result === "locked"), 1, results.join("\n"))
        assert.lengthOf(results.filter((result) => result.includes("in use by")), 1, results.join("\n"))
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live.skipIf(!hasNamespaces)(
    "is rejected for a process of another process namespace, until the first is killed (needs unshare and root)",
    () =>
      Effect.gen(function*() {
        const { folder, holder } = yield* world
        const first = yield* lockProcess(newPidNamespace)
        const second = yield* lockProcess([...newPidNamespace, "--net"])
        assert.strictEqual(yield* first.lock(folder), "locked")
        assert.strictEqual(yield* holder, 1)
        assert.include(yield* second.lock(folder), "in use by another process, perhaps in another container")
        yield* first.kill
        yield* eventually(second.lock(folder), (result) => result === "locked")
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect.each([
    { what: "an earlier process with this id", text: `${process.pid}\n` },
    { what: "an empty file", text: "" }
  ])("replaces a lock of $what", ({ text }) =>
    Effect.gen(function*() {
      const { file, folder, fs, holder } = yield* world
      yield* fs.writeFileString(file, text)
      yield* lockDirectory(folder)
      assert.strictEqual(yield* holder, process.pid)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("can have a long path, and is rejected with a message when the path is too long", () =>
    Effect.gen(function*() {
      const { folder, fs } = yield* world
      const parent = `${folder}/${"long-folder-name/".repeat(24)}`
      yield* fs.makeDirectory(parent, { recursive: true })
      assert.isAbove(parent.length, 400)
      yield* lockDirectory(`${parent}db`)
      assert.include(yield* (yield* lockProcess()).lock(`${parent}db`), `in use by process ${process.pid}`)

      const longer = `${parent}${"long-folder-name/".repeat(6)}`
      yield* fs.makeDirectory(longer, { recursive: true })
      const { message } = yield* Effect.flip(Effect.scoped(lockDirectory(`${longer}db`)))
      assert.include(message, "its path must be shorter than 500 bytes")
    }).pipe(Effect.provide(NodeServices.layer)))
})
