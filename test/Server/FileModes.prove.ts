import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmod, lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { redactText } from "../../src/Secrets/Redaction/Redaction.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { startServer } from "../support/ServerProcess.ts"

const paths = async (folder: string) => [
  folder,
  ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))
]

const accessible = (folder: string) =>
  Effect.promise(async () => {
    const found: Array<string> = []
    for (const path of await paths(folder)) {
      const { mode } = await lstat(path)
      if ((mode & 0o077) !== 0) found.push(`${path} ${(mode & 0o777).toString(8)}`)
    }
    return found
  })

const useServer = (folder: string) =>
  Effect.gen(function*() {
    const server = yield* startServer(folder, {})
    yield* server.admin.members.create({ payload: { email: "modes@example.com", client_ids: null } })
    assert.deepStrictEqual(yield* accessible(folder), [])
    yield* server.kill("SIGTERM")
    yield* server.ended
    assert.deepStrictEqual(yield* accessible(folder), [])
  }).pipe(Effect.scoped)

describe("Only its owner can read and write what is in DATA_DIR", () => {
  it.live("after a first start", () =>
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "openaccounts-modes-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      yield* useServer(folder)
      const token = yield* Effect.promise(() => readFile(join(folder, "admin-token"), "utf8"))
      assert.match(token.trim(), /^oaa_[0-9A-Za-z]{38}$/)
      assert.strictEqual(redactText(`admin ${token.trim()} of a log`), "admin [redacted] of a log")
    }))

  it.live("after a start on files that others can read", () =>
    Effect.gen(function*() {
      const folder = yield* dataFolder
      yield* Effect.promise(async () => {
        await writeFile(join(folder, "admin-token"), "x".repeat(43))
        for (const path of await paths(folder)) await chmod(path, (await lstat(path)).isDirectory() ? 0o755 : 0o666)
      })
      assert.lengthOf(yield* accessible(folder), (yield* Effect.promise(() => paths(folder))).length)
      yield* useServer(folder)
    }))
})
