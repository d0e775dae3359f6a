import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const root = new URL("../..", import.meta.url).pathname

const start = (args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn("bin/openaccounts", args, { cwd: root, env: settings })),
    (child) => Effect.sync(() => child.kill())
  )

const exitCodeOf = (child: ChildProcess) =>
  Effect.promise(async (): Promise<number> => child.exitCode ?? (await once(child, "exit"))[0])

const oa = Effect.fnUntraced(function*(args: ReadonlyArray<string>, settings: Readonly<Record<string, string>> = {}) {
  const child = yield* start(args, settings)
  child.stdin.end()
  return yield* Effect.all({
    stdout: Effect.promise(() => text(child.stdout)),
    stderr: Effect.promise(() => text(child.stderr)),
    exitCode: exitCodeOf(child)
  }, { concurrency: "unbounded" })
}, Effect.scoped)

layer(TestServer.layer, { excludeTestServices: true })("oa as a process", (it) => {
  it.effect("open prints the link of the dashboard where no browser can be opened", () =>
    Effect.gen(function*() {
      const { exitCode, stdout } = yield* oa(["open", "--url", "https://oa.example.com/"])
      assert.deepStrictEqual([exitCode, stdout.trim()], [0, "https://oa.example.com/dashboard"])
    }))

  it.effect("ends with an exit code for each kind of failure", () =>
    Effect.gen(function*() {
      const { adminToken, url } = yield* TestServer
      const settings = { OA_URL: url, ADMIN_TOKEN: adminToken }
      const [listed, misused, unreachable] = yield* Effect.all([
        oa(["connection", "list", "--status", "expired"], settings),
        oa(["client", "creat"]),
        oa(["client", "list", "--json"], { ...settings, OA_URL: "http://127.0.0.1:1" })
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(listed, {
        exitCode: 0,
        stdout: "No connections; `oa connection create` and `oa connection connect` make them.\n",
        stderr: ""
      })
      assert.deepStrictEqual(misused, {
        exitCode: 2,
        stdout: "",
        stderr: "Error: Unknown subcommand \"creat\" for \"oa client\"\n  Did you mean this?\n    create\n" +
          "Usage: oa client <subcommand> [flags]\nHelp:  oa client --help\n"
      })
      assert.strictEqual(unreachable.exitCode, 3)
      assert.strictEqual(JSON.parse(unreachable.stderr).error.code, "unreachable")
    }))

  it.effect("stops following when its output is closed", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: {} }))
      const { readOnly } = yield* seed()
      const call = server.call(readOnly, { provider: "gsc", endpoint: "sites.list" })
      yield* call
      const child = yield* start(["logs", "--follow", "--json"], { OA_URL: server.url, OA_KEY: readOnly })
      yield* Effect.promise(() => once(child.stdout, "data"))
      child.stdout.destroy()
      yield* call
      assert.strictEqual(yield* exitCodeOf(child), 130)
    }))
})
