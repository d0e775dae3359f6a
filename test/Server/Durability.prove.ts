import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { readdir, readFile, writeFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import type { AuthType, NewCredentials } from "../../src/Domain/Connection.ts"
import { dataFolder } from "../support/DatabaseTemplate.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { runServer, type ServerProcess, startServer } from "../support/ServerProcess.ts"

const sitesearchKey = "5f3c0a9be1d24c7788aa01bc23de45f6"

const settings = (upstream: string) => ({
  // The tests send more requests than one key may send.
  QUOTAS: "off",
  GSC_BASE_URL: `${upstream}/gsc`,
  SITESEARCH_BASE_URL: `${upstream}/sitesearch`,
  GOOGLE_TOKEN_URL: `${upstream}/token`,
  GOOGLE_REVOKE_URL: `${upstream}/revoke`,
  SITESEARCH_TOKEN_URL: `${upstream}/token`,
  GOOGLE_CLIENT_ID: "durable-google-id",
  GOOGLE_CLIENT_SECRET: "GOCSPX-durable_client-secret-01",
  SITESEARCH_CLIENT_ID: "durable-sitesearch-id",
  SITESEARCH_CLIENT_SECRET: "durable-sitesearch-secret"
})

const grant = {
  access_token: "ya29.durable-access-0123456789",
  refresh_token: "1//durable-refresh-0123456789",
  expires_at: "2099-01-01T00:00:00Z"
}

const seedProcess = Effect.fnUntraced(function*({ admin }: ServerProcess) {
  const member = yield* admin.members.create({ payload: { email: "durable@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "k" } })
  const connect = (provider: string, auth_type: AuthType, credentials: NewCredentials["credentials"]) =>
    admin.managedConnections.create({
      payload: { provider, auth_type, credentials, label: `durable-${auth_type}` }
    })
  return { key, connect }
})

const listSites = { provider: "gsc", endpoint: "sites.list" }

const getSite = (siteUrl: string) => ({ provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl } } })

const answerEmpty = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{}")

const callId = (text: string): string => JSON.parse(text).call_id

describe.concurrent("A server process", () => {
  it.live("has every answered call in its log after it is killed and started again", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const folder = yield* dataFolder
      const restart = startServer(folder, settings(upstream.url))

      const first = yield* restart
      const { connect, key } = yield* seedProcess(first)
      yield* connect("gsc", "oauth", grant)

      const answered: Array<string> = []
      const boots: Array<number> = []
      const killDuring = (server: ServerProcess, calls: number, seen: number) =>
        Effect.promise(async () => {
          const before = answered.length
          await Promise.allSettled(Array.from({ length: calls }, async () => {
            const { status, text } = await server.send("POST", "/v1/call", key, listSites)
            assert.strictEqual(status, 200)
            answered.push(callId(text))
            if (answered.length === before + seen) process.kill(server.pid, "SIGKILL")
          }))
          assert.isAtLeast(answered.length, before + seen)
        })

      let server = first
      for (const [calls, seen] of [[1, 1], [20, 7]] as const) {
        yield* killDuring(server, calls, seen)
        const ended = yield* server.ended
        assert.strictEqual(ended.signal, "SIGKILL")
        assert.strictEqual((yield* Effect.promise(() => readFile(`${folder}/db.pid`, "utf8"))).trim(), `${server.pid}`)

        server = yield* restart
        boots.push(server.bootMillis)
        const found = yield* Effect.promise(() =>
          Promise.all(answered.map((id) => server.send("GET", `/v1/logs/${id}`, key)))
        )
        assert.deepStrictEqual(
          found.map(({ status, text }) => [status, JSON.parse(text).outcome]),
          answered.map(() => [200, "ok"])
        )
      }
      // In wall time, on a machine that may be busy.
      assert.isBelow(Math.min(...boots), 120_000)
    }))

  it.live("finishes and logs the calls in flight on SIGTERM under load, also those of clients that are gone", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const held: Array<ServerResponse> = []
      upstream.handle(({ url }) => url.startsWith("/gsc") ? (response) => held.push(response) : { body: { d: [] } })
      const folder = yield* dataFolder
      const server = yield* startServer(folder, settings(upstream.url))
      const { connect, key } = yield* seedProcess(server)
      yield* connect("gsc", "oauth", grant)
      yield* connect("sitesearch", "api_key", { api_key: sitesearchKey })

      const answered: Array<string> = []
      const asking = Effect.promise(async () => {
        for (;;) {
          const answer = await server.send("POST", "/v1/call", key, {
            provider: "sitesearch",
            endpoint: "GetUserSites"
          }).catch(() => undefined)
          if (answer?.status !== 200) return
          answered.push(callId(answer.text))
        }
      })
      const load = yield* Effect.forkScoped(Effect.replicateEffect(asking, 10, { concurrency: "unbounded" }))
      const waiting = Array.from(
        { length: 5 },
        (_, index) => server.send("POST", "/v1/call", key, getSite(`sc-domain:${index}.example.com`))
      )
      const abort = new AbortController()
      const left = fetch(`${server.url}/v1/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(getSite("sc-domain:left.example.com")),
        signal: abort.signal
      }).catch(() => "left")
      yield* eventually(Effect.sync(() => held.length === 6 && answered.length > 20), (met) => met)
      abort.abort()
      assert.strictEqual(yield* Effect.promise(() => left), "left")

      yield* server.kill("SIGTERM")
      yield* Fiber.join(load)
      const [leftOne = assert.fail("nobody left")] = held.splice(
        held.findIndex(({ req }) => req.url?.includes("left") === true),
        1
      )
      held.forEach(answerEmpty)
      for (const { status, text } of yield* Effect.promise(() => Promise.all(waiting))) {
        assert.strictEqual(status, 200, text)
        answered.push(callId(text))
      }
      answerEmpty(leftOne)
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0, ended.output)

      const next = yield* startServer(folder, settings(upstream.url))
      const found = yield* Effect.promise(() =>
        Promise.all(answered.map((id) => next.send("GET", `/v1/logs/${id}`, key)))
      )
      assert.deepStrictEqual([...new Set(found.map(({ status }) => status))], [200])
      const logged = (filter: string) =>
        Effect.map(
          Effect.promise(() => next.send("GET", `/v1/logs?provider=gsc&${filter}`, key)),
          ({ text }) => JSON.parse(text).calls
        )
      assert.lengthOf(yield* logged("outcome=ok"), 5)
      assert.lengthOf(yield* logged("error_code=caller_disconnected"), 1)
    }).pipe(Effect.scoped))

  it.live("locks its data folder until it ends", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream.make
      const folder = yield* dataFolder
      // The lock of a crashed process. No process has this id.
      yield* Effect.promise(() => writeFile(`${folder}/db.pid`, "4194303\n"))
      const server = yield* startServer(folder, settings(upstream.url))
      assert.include(server.output(), `:${new URL(server.url).port}/docs`)

      const second = yield* runServer({ DATA_DIR: folder })
      assert.notStrictEqual(second.code, 0)
      assert.match(
        second.output,
        new RegExp(`^Error: The embedded database in .* is in use by process ${server.pid}\\b.*\\n$`)
      )

      const ready = yield* Effect.promise(() => server.send("GET", "/readyz", ""))
      assert.strictEqual(ready.status, 200)

      const terminatedAt = performance.now()
      yield* server.kill("SIGTERM")
      const ended = yield* server.ended
      assert.strictEqual(ended.code, 0, ended.output)
      // Without calls in flight, it does not wait for the 30 seconds that they would get.
      assert.isBelow(performance.now() - terminatedAt, 30_000)
      assert.notInclude(yield* Effect.promise(() => readdir(folder)), "db.pid")
    }).pipe(Effect.scoped))

  it.live("does not start on an invalid setting, and names it in one line", () =>
    Effect.gen(function*() {
      const invalid = {
        PORT: "abc",
        ENCRYPTION_KEYS: "x",
        DATABASE_URL: "postgres://user:hidden@127.0.0.1:1/database",
        CALL_PRICE_USD: "-1",
        LOG_BODY_BYTES: "-5"
      }
      const folders = [yield* dataFolder, yield* dataFolder]
      yield* Effect.forEach(Object.entries(invalid), ([name, value]) =>
        Effect.gen(function*() {
          const folder = folders.pop() ?? (yield* Effect.die("One folder for each of the two that run"))
          const { code, output } = yield* runServer({ DATA_DIR: folder, [name]: value })
          folders.push(folder)
          assert.strictEqual(code, 2, output)
          assert.match(output, new RegExp(`^Error: .*\\b${name}\\b.*\\n$`))
          assert.notMatch(output, /hidden|file:\/\/|^\s+at /m)
        }), { concurrency: 2, discard: true })
    }).pipe(Effect.scoped))
})
