import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Scope } from "effect"
import { chmod, lstat, readdir, readFile, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { redactText } from "../../src/Secrets/Redaction/Redaction.ts"
import { sitesGet, sitesList } from "../Http/Fixture.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { runServer, type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { tempFolder } from "../support/TempFolder.ts"

const makeFolder = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const upstream = yield* LoopbackUpstream.make
  const folder = yield* tempFolder
  const start = startServer(folder, {
    // The tests send more requests than one key may send.
    QUOTAS: "off",
    GSC_BASE_URL: `${upstream.url}/gsc`,
    SITESEARCH_BASE_URL: `${upstream.url}/sitesearch`
  }).pipe(Scope.provide(scope))
  let running: ServerProcess | undefined
  return {
    upstream,
    folder,
    server: Effect.suspend(() =>
      running === undefined
        ? Effect.tap(start, (server) => Effect.sync(() => running = server))
        : Effect.succeed(running)
    ),
    end: Effect.fnUntraced(function*(signal: NodeJS.Signals) {
      const server = running ?? assert.fail("It is not running")
      running = undefined
      yield* server.kill(signal)
      const ended = yield* server.ended
      assert.deepStrictEqual(
        [ended.code, ended.signal],
        signal === "SIGTERM" ? [0, null] : [null, signal],
        ended.output
      )
    })
  }
})

/** A service with an embedded database, which a test ends and the next one starts again. */
class Folder extends Context.Service<Folder, Effect.Success<typeof makeFolder>>()("openaccounts/test/Server/Folder") {
  static readonly layer = Layer.effect(Folder, makeFolder)
}

const paths = async (folder: string) => [
  folder,
  ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))
]

/** To others than its owner. */
const accessible = (folder: string) =>
  Effect.promise(async () => {
    const found = await Promise.all((await paths(folder)).map(async (path) => ({ path, ...await lstat(path) })))
    return found.flatMap(({ mode, path }) => (mode & 0o077) === 0 ? [] : [path])
  })

const logged = ({ send }: ServerProcess, key: string, ids: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const found = await Promise.all(ids.map((id) => send("GET", `/v1/logs/${id}`, key)))
    return new Set(found.map(({ status, text }) => `${status} ${JSON.parse(text).outcome}`))
  })

const answerEmpty = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{}")

const callId = (text: string): string => JSON.parse(text).call_id

layer(Folder.layer, { excludeTestServices: true })("A service with an embedded database", (it) => {
  it.effect("lets only its owner read and write its folder, also after a start on files that others can read", () =>
    Effect.gen(function*() {
      const { end, folder, server } = yield* Folder
      yield* (yield* server).seed()
      assert.deepStrictEqual(yield* accessible(folder), [])
      yield* end("SIGTERM")
      assert.deepStrictEqual(yield* accessible(folder), [])
      const token = (yield* Effect.promise(() => readFile(join(folder, "admin-token"), "utf8"))).trim()
      assert.match(token, /^oaa_[0-9A-Za-z]{38}$/)
      assert.strictEqual(redactText(`admin ${token} of a log`), "admin [redacted] of a log")

      const all = yield* Effect.promise(async () => {
        // Its lock has nothing to read.
        const all = (await paths(folder)).filter((path) => !path.endsWith("db.lock"))
        for (const path of all) await chmod(path, (await lstat(path)).isDirectory() ? 0o755 : 0o666)
        return all
      })
      assert.lengthOf(yield* accessible(folder), all.length)
      yield* (yield* server).seed()
      assert.deepStrictEqual(yield* accessible(folder), [])
    }))

  it.effect("has every answered call in its log after it is killed and started again", () =>
    Effect.gen(function*() {
      const { end, folder, server, upstream } = yield* Folder
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { pid, seed, send } = yield* server
      const { readOnly } = yield* seed()
      const answered: Array<string> = []
      yield* Effect.promise(() =>
        Promise.allSettled(Array.from({ length: 20 }, async () => {
          const { status, text } = await send("POST", "/v1/call", readOnly, sitesList)
          assert.strictEqual(status, 200)
          answered.push(callId(text))
          if (answered.length === 7) process.kill(pid, "SIGKILL")
        }))
      )
      assert.isAtLeast(answered.length, 7)
      yield* end("SIGKILL")
      assert.strictEqual((yield* Effect.promise(() => readFile(`${folder}/db.pid`, "utf8"))).trim(), `${pid}`)
      assert.deepStrictEqual([...yield* logged(yield* server, readOnly, answered)], ["200 ok"])
    }))

  it.effect("finishes and logs the calls in flight on SIGTERM under load, also those of clients that are gone", () =>
    Effect.gen(function*() {
      const { end, server, upstream } = yield* Folder
      const held: Array<ServerResponse> = []
      upstream.handle(({ url }) => url.startsWith("/gsc") ? (response) => held.push(response) : { body: { d: [] } })
      const { seed, send, url } = yield* server
      const { connect, readOnly: key } = yield* seed()
      const api_key = "5f3c0a9be1d24c7788aa01bc23de45f6"
      yield* connect({ provider: "sitesearch", auth_type: "api_key", credentials: { api_key } })

      const answered: Array<string> = []
      const asking = Effect.promise(async () => {
        for (;;) {
          const body = { provider: "sitesearch", endpoint: "GetUserSites" }
          const answer = await send("POST", "/v1/call", key, body).catch(() => undefined)
          if (answer?.status !== 200) return
          answered.push(callId(answer.text))
        }
      })
      const load = yield* Effect.forkChild(Effect.replicateEffect(asking, 10, { concurrency: "unbounded" }))
      const waiting = Array.from({ length: 5 }, () => send("POST", "/v1/call", key, sitesGet))
      const abort = new AbortController()
      const left = fetch(`${url}/v1/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...sitesGet, input: { path: { siteUrl: "sc-domain:left.example.com" } } }),
        signal: abort.signal
      }).catch(() => "left")
      yield* eventually(Effect.sync(() => held.length === 6 && answered.length > 20), (met) => met)
      abort.abort()
      assert.strictEqual(yield* Effect.promise(() => left), "left")

      const ended = yield* Effect.forkChild(end("SIGTERM"), { startImmediately: true })
      yield* Fiber.join(load)
      const ofLeft = held.filter(({ req }) => req.url?.includes("left") === true)
      for (const response of held) if (!ofLeft.includes(response)) answerEmpty(response)
      for (const { status, text } of yield* Effect.promise(() => Promise.all(waiting))) {
        assert.strictEqual(status, 200, text)
        answered.push(callId(text))
      }
      ofLeft.forEach(answerEmpty)
      yield* Fiber.join(ended)

      const next = yield* server
      assert.deepStrictEqual([...yield* logged(next, key, answered)], ["200 ok"])
      const calls = Effect.fnUntraced(function*(filter: string) {
        const { text } = yield* Effect.promise(() => next.send("GET", `/v1/logs?provider=gsc&${filter}`, key))
        return JSON.parse(text).calls
      })
      assert.lengthOf(yield* calls("outcome=ok"), 5)
      assert.lengthOf(yield* calls("error_code=caller_disconnected"), 1)
    }))

  it.effect("locks its folder until it ends", () =>
    Effect.gen(function*() {
      const { end, folder, server } = yield* Folder
      yield* server
      yield* end("SIGTERM")
      assert.notInclude(yield* Effect.promise(() => readdir(folder)), "db.pid")
      // The lock of a crashed process. No process has this id.
      yield* Effect.promise(() => writeFile(`${folder}/db.pid`, "4194303\n", { mode: 0o600 }))
      const { output, pid, send, url } = yield* server
      assert.include(output(), `:${new URL(url).port}/docs`)

      const second = yield* runServer({ DATA_DIR: folder })
      assert.notStrictEqual(second.code, 0)
      assert.match(
        second.output,
        new RegExp(`^Error: The embedded database in .* is in use by process ${pid}\\b.*DATA_DIR.*\\n$`)
      )
      assert.strictEqual((yield* Effect.promise(() => send("GET", "/readyz", ""))).status, 200)
    }))
})

describe("A service with an invalid setting", () => {
  it.live("does not start, and names the setting in one line, without its value", () =>
    Effect.gen(function*() {
      const folder = yield* dataFolder
      const invalid = { CALL_PRICE_USD: "-1", DATABASE_URL: "postgres://user:hidden@127.0.0.1:1/database" }
      for (const [name, value] of Object.entries(invalid)) {
        const { code, output } = yield* runServer({ DATA_DIR: folder, [name]: value })
        assert.strictEqual(code, 2, output)
        assert.match(output, new RegExp(`^Error: .*\\b${name}\\b.*\\n$`))
        assert.notMatch(output, /hidden|file:\/\/|^\s+at /m)
      }
    }).pipe(Effect.scoped))
})
