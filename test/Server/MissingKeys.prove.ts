import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runOa } from "../Cli/RunCli.ts"
import { sitesList } from "../Http/Fixture.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { diskAbsence, smallDisk } from "../support/SmallDisk.ts"

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString("base64")}`

/** A stopped service with one connection and one webhook under the key `k1` in `DATA_DIR/encryption-keys`. */
class Stopped extends Context.Service<Stopped, string>()("openaccounts/test/Server/Stopped") {
  static readonly layer = Layer.effect(
    Stopped,
    Effect.gen(function*() {
      const folder = yield* dataFolder
      yield* Effect.promise(() => writeFile(join(folder, "encryption-keys"), keyOf("k1", 1), { mode: 0o600 }))
      const server = yield* startServer(folder, {})
      yield* server.seed()
      const { webhooks } = server.admin
      yield* webhooks.create({ payload: { url: "https://hooks.example.com", events: ["key.created"] } })
      assert.deepStrictEqual(JSON.parse((yield* readyz(server)).text), { ok: true })
      yield* server.kill("SIGTERM")
      yield* server.ended
      return folder
    })
  )
}

/** A copy of the folder, for one test. */
const stopped = Effect.gen(function*() {
  const folder = yield* Stopped
  const copy = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "openaccounts-keys-"))),
    (copy) => Effect.promise(() => rm(copy, { recursive: true, force: true }))
  )
  yield* Effect.promise(() => cp(folder, copy, { recursive: true }))
  return copy
})

const readyz = (server: ServerProcess) => Effect.promise(() => server.send("GET", "/readyz", ""))

const doctor = (settings: Readonly<Record<string, string>>) =>
  Effect.map(runOa(["doctor"], { settings }), ({ stderr, stdout }) => `${stdout}${stderr}`.replace(/\s+/g, " "))

layer(Stopped.layer, { excludeTestServices: true })("Without the encryption key of a connection", (it) => {
  it.effect("the start, /readyz and oa doctor say which key is missing", () =>
    Effect.gen(function*() {
      const folder = yield* stopped
      const says = "The encryption key \"k1\" is missing"
      const settings = { ENCRYPTION_KEYS: keyOf("k2", 2), DATA_DIR: folder, OA_URL: "http://127.0.0.1:1" }
      assert.include(yield* doctor(settings), `${says}: 1 connection needs it`)

      const server = yield* startServer(folder, settings)
      const log = server.output().replaceAll("\\\"", "\"")
      assert.include(
        log,
        `${says}: 1 connection needs it, and 2 stored responses, results, webhooks, events and keys of the log`
      )
      assert.include(log, "The keys come from ENCRYPTION_KEYS")
      const ready = yield* readyz(server)
      assert.deepStrictEqual([ready.status, JSON.parse(ready.text)], [200, { ok: true, degraded: ["encryption_keys"] }])
      const running = { ...settings, OA_URL: server.url }
      assert.include(yield* doctor(running), `${says}: 1 connection needs it`)
      assert.include(yield* doctor({ ...running, ADMIN_TOKEN: "x".repeat(32) }), "The log of the service names it")
    }).pipe(Effect.scoped))

  it.effect("oa doctor says so for another key with the same id", () =>
    Effect.gen(function*() {
      const folder = yield* stopped
      const says = yield* doctor({ ENCRYPTION_KEYS: keyOf("k1", 2), DATA_DIR: folder, OA_URL: "http://127.0.0.1:1" })
      assert.include(
        says,
        "The encryption key \"k1\" has other bytes than the key that encrypted the data: 1 connection needs it"
      )
    }).pipe(Effect.scoped))

  it.effect("oa doctor warns about a file of keys that differs from ENCRYPTION_KEYS", () =>
    Effect.gen(function*() {
      const folder = yield* stopped
      const settings = { DATA_DIR: folder, OA_URL: "http://127.0.0.1:1" }
      const both = yield* doctor({ ...settings, ENCRYPTION_KEYS: `${keyOf("k2", 2)},${keyOf("k1", 1)}` })
      assert.include(both, `${folder}/encryption-keys has other keys`)
      assert.include(both, "the encryption keys fit the stored connections")
      assert.include(yield* doctor(settings), `ok "k1" of ${folder}/encryption-keys encrypts`)
    }).pipe(Effect.scoped))
})

const absence = diskAbsence()
// Reporters list no skipped tests.
if (absence !== "") process.stdout.write(`Tests of a full disk${absence}\n`)

describe.skipIf(absence !== "")(`A service with its own database on a full disk${absence}`, () => {
  it.live(
    "answers an error, loses no call that it has answered, and goes on when there is space",
    () =>
      Effect.gen(function*() {
        const { fill, folder, free } = yield* smallDisk(256)
        const upstream = yield* LoopbackUpstream.make
        upstream.handle(() => ({ body: { siteEntry: [{ siteUrl: `https://${"long".repeat(9000)}.example/` }] } }))
        const settings = { QUOTAS: "off", RATE_LIMIT: "100000/second", GSC_BASE_URL: upstream.url }
        const first = yield* startServer(folder, settings)
        const { readOnly } = yield* first.seed()
        const answered: Array<string> = []
        const callOn = ({ send }: typeof first) =>
          Effect.promise(async () => {
            const { status, text } = await send("POST", "/v1/call", readOnly, sitesList)
            const json = JSON.parse(text)
            if (status === 200) answered.push(json.call_id)
            return status === 200 ? "ok" : String(json.error.code)
          })
        const assertLogged = ({ send }: typeof first) =>
          Effect.forEach(answered, (id) =>
            Effect.promise(async () => {
              assert.strictEqual((await send("GET", `/v1/logs/${id}`, readOnly)).status, 200, id)
            }))

        assert.strictEqual(yield* callOn(first), "ok")
        yield* fill(0)
        assert.strictEqual(yield* eventually(callOn(first), (code) => code !== "ok"), "internal_error")
        yield* free
        yield* eventually(callOn(first), (code) => code === "ok")
        yield* assertLogged(first)
        yield* first.kill("SIGKILL")
        yield* first.ended
        yield* assertLogged(yield* startServer(folder, settings))
      }).pipe(Effect.scoped),
    300_000
  )
})
