import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { mkdir, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { runOa } from "../../Cli/RunCli.ts"
import { dataFolder } from "../../support/DatabaseTemplate.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { runProgram, startServer } from "../../support/ServerProcess.ts"

const sitesList = { provider: "gsc", endpoint: "sites.list" }

type Settings = Readonly<Record<string, string>>

const oa = (args: ReadonlyArray<string>, settings: Settings) =>
  runProgram(args, { OA_PASSPHRASE: "correct horse battery", ...settings })

const succeed = Effect.fnUntraced(function*(args: ReadonlyArray<string>, settings: Settings) {
  const { code, output } = yield* oa([...args, "--json"], settings)
  if (code !== 0) return assert.fail(output)
  return JSON.parse(output)
})

const fail = Effect.fnUntraced(function*(args: ReadonlyArray<string>, settings: Settings) {
  const { code, output } = yield* oa(args, settings)
  assert.notStrictEqual(code, 0, output)
  return output
})

/** In this process, which takes less CPU time than another one. Backups and restores limit the modes of their process. */
const failMove = Effect.fnUntraced(function*(url: string, folder: string) {
  const { exitCode, stderr } = yield* runOa(["move", "--to", url], { settings: { DATA_DIR: folder } })
  assert.notStrictEqual(exitCode, 0)
  return stderr
})

layer(RealPostgres.layer, { excludeTestServices: true })("oa backup, restore and move", (it) => {
  it.effect("take a service with its keys to another folder, to a server and back, and it answers calls there", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const settings = { GSC_BASE_URL: `${upstream.url}/gsc`, GOOGLE_TOKEN_URL: `${upstream.url}/token`, QUOTAS: "off" }
      const root = yield* dataFolder
      const [first, second, third] = [root, join(root, "second"), join(root, "third")]

      const server = yield* startServer(first, settings)
      const { readOnly: key } = yield* server.seed()
      const callOn = async ({ send }: Pick<typeof server, "send">): Promise<string> => {
        const { status, text } = await send("POST", "/v1/call", key, sitesList)
        assert.strictEqual(status, 200, text)
        return JSON.parse(text).call_id
      }
      const before = yield* Effect.promise(() => callOn(server))
      // Calls go on during the backup.
      const meanwhile: Array<string> = []
      const load = yield* Effect.forkChild(
        Effect.repeat(
          Effect.promise(async () => void meanwhile.push(await callOn(server))),
          Schedule.spaced("50 millis")
        )
      )
      const file = join(root, "a.backup")
      const running = { DATA_DIR: first, OA_URL: server.url }
      const short = { ...running, OA_PASSPHRASE: "correct horse" }
      assert.match(yield* fail(["backup", file], short), /at least 16 characters\. Take a new one, such as [\w-]{32}/)
      const made = yield* succeed(["backup", file, "--with-keys"], running)
      yield* Fiber.interrupt(load)
      assert.isAtLeast(made.calls, 1)
      assert.strictEqual(made.connections, 1)
      assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(first, "snapshots"))), [])
      assert.include(yield* fail(["backup", file], running), "exists. Choose another name")
      assert.include(yield* failMove("postgres://x@127.0.0.1:1/x", first), "Stop it first")
      assert.include(yield* fail(["restore", file], { DATA_DIR: first }), "into an empty place only")

      const other = { DATA_DIR: third, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}` }
      assert.include(yield* fail(["restore", file], other), "ENCRYPTION_KEYS lacks the key \"k1\" of the backup")

      const keyless = join(root, "keyless.backup")
      yield* succeed(["backup", keyless], running)
      assert.include(yield* fail(["restore", keyless], { DATA_DIR: third }), "The backup has no keys")
      const otherKeys = yield* fail(["restore", keyless], other)
      assert.include(otherKeys, "ENCRYPTION_KEYS lacks the key \"k1\" of the backup, or has other bytes. Nothing")
      const fourth = join(root, "fourth")
      const keys = (yield* Effect.promise(() => readFile(join(first, "encryption-keys"), "utf8"))).trim()
      const ofKilled = "db.restored-killed"
      yield* Effect.promise(() => mkdir(join(fourth, ofKilled), { recursive: true, mode: 0o700 }))
      yield* succeed(["restore", keyless], { DATA_DIR: fourth, ENCRYPTION_KEYS: keys })
      const names = yield* Effect.promise(() => readdir(fourth))
      for (const name of ["encryption-keys", "admin-token", ofKilled]) assert.notInclude(names, name)

      const restored = yield* succeed(["restore", file], { DATA_DIR: second })
      assert.deepStrictEqual([restored.rows, restored.calls], [made.rows, made.calls])
      const secrets = ["admin-token", "encryption-keys"]
      for (const name of secrets) {
        const [one, copy] = yield* Effect.promise(() =>
          Promise.all([first, second].map((folder) => readFile(join(folder, name), "utf8")))
        )
        assert.strictEqual(copy, one)
      }
      yield* Effect.scoped(Effect.gen(function*() {
        const copy = yield* startServer(second, settings)
        yield* Effect.promise(() => callOn(copy))
        const { status } = yield* Effect.promise(() => copy.send("GET", `/v1/logs/${before}`, key))
        assert.strictEqual(status, 200)
      }))

      const url = Redacted.value(yield* (yield* RealPostgres).createDatabase)
      const moved = yield* succeed(["move", "--to", url], { DATA_DIR: second })
      assert.strictEqual(moved.calls, made.calls + 1)
      assert.include(yield* failMove(url, second), "The target is not empty")
      const read = (name: string) => Effect.promise(() => readFile(join(second, name), "utf8"))
      const onServer = {
        DATABASE_URL: url,
        ENCRYPTION_KEYS: (yield* read("encryption-keys")).trim(),
        ADMIN_TOKEN: (yield* read("admin-token")).trim()
      }
      const { ENCRYPTION_KEYS: _, ...withoutKeys } = onServer
      assert.include(yield* fail(["backup", join(root, "b.backup"), "--with-keys"], withoutKeys), "Set ENCRYPTION_KEYS")
      const nowhere = join(root, "nowhere")
      yield* Effect.promise(() => mkdir(nowhere, { mode: 0o700 }))
      const onPostgres = yield* startServer(nowhere, { ...settings, ...onServer })
      yield* Effect.promise(() => callOn(onPostgres))

      const back = yield* succeed(["backup", join(root, "b.backup"), "--with-keys"], { ...onServer, DATA_DIR: nowhere })
      assert.strictEqual(back.calls, moved.calls + 1)
      const returned = yield* succeed(["restore", join(root, "b.backup")], { DATA_DIR: third })
      assert.strictEqual(returned.rows, back.rows)
      const last = yield* startServer(third, settings)
      yield* Effect.promise(() => callOn(last))
      const page = yield* last.admin.adminLogs.list({ query: { limit: 200 } })
      assert.lengthOf(page.calls, Math.min(200, back.calls + 1))
    }).pipe(Effect.scoped))
})
