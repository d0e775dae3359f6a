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
