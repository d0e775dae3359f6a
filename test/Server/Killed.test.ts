import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { NewCredentials } from "../../src/Domain/Connection.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { type ServerProcess, startServer } from "../support/ServerProcess.ts"
import { expiredGrant, freshGrant } from "../support/TestServer.ts"

/** For longer runs: `KILLS=20 CALLS=200`. */
const kills = Number(process.env["KILLS"] ?? 2)
const calls = Number(process.env["CALLS"] ?? 50)

const instances = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream.make
  const url = yield* (yield* RealPostgres).createDatabase
  const folder = join(tmpdir(), "openaccounts-nothing")
  const start = startServer(folder, {
    DATABASE_URL: Redacted.value(url),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    GSC_BASE_URL: `${upstream.url}/gsc`,
    GOOGLE_TOKEN_URL: `${upstream.url}/token`,
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret"
  })
  return { upstream, start }
})

const seedProcess = Effect.fnUntraced(function*(
  { admin }: ServerProcess,
  credentials: NewCredentials["credentials"]
) {
  const member = yield* admin.members.create({ payload: { email: "ada@example.com" } })
  const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "k" } })
  yield* admin.managedConnections.create({
    payload: { provider: "gsc", auth_type: "oauth", credentials, label: "ada" }
  })
  return { key, call: (server: ServerProcess) => server.send("POST", "/v1/call", key, siteList) }
})

const siteList = { provider: "gsc", endpoint: "sites.list" }

layer(RealPostgres.layer, { excludeTestServices: true, timeout: 120_000 })("A killed instance", (it) => {
  it.effect(
    `has logged every answered call, under ${calls} concurrent calls, ${kills} times`,
    () =>
      Effect.gen(function*() {
        const { start, upstream } = yield* instances
        upstream.handle(() => ({ body: { siteEntry: [] } }))
        const [survivor, first] = yield* Effect.all([start, start], { concurrency: "unbounded" })
        const { call, key } = yield* seedProcess(survivor, freshGrant("killed"))

        let victim = first
        let checked = 0
        for (let round = 0; round < kills; round++) {
          if (round > 0) victim = yield* start
          const answered: Array<string> = []
          const fatal = 1 + round * 37 % calls
          yield* Effect.promise(() =>
            Promise.allSettled(Array.from({ length: calls }, async () => {
              const { status, text } = await call(victim)
              assert.strictEqual(status, 200, text)
              answered.push(JSON.parse(text).call_id)
              if (answered.length === fatal) process.kill(victim.pid, "SIGKILL")
            }))
          )
          assert.isAtLeast(answered.length, fatal)
          assert.strictEqual((yield* victim.ended).signal, "SIGKILL")

          const found = yield* Effect.forEach(
            answered,
            (id) => Effect.promise(() => survivor.send("GET", `/v1/logs/${id}`, key)),
            { concurrency: 20 }
          )
          assert.deepStrictEqual(found.map(({ text }) => JSON.parse(text).outcome), answered.map(() => "ok"))
          checked += answered.length
        }
        assert.isAtLeast(checked, kills)
      }).pipe(Effect.scoped),
    600_000
  )

  it.effect(
    "that was refreshing a token leaves the refresh to the other instance, which answers all its calls",
    () =>
      Effect.gen(function*() {
        const { start, upstream } = yield* instances
        const grants: Array<ServerResponse> = []
        upstream.handle(({ url }) =>
          url === "/token" ? (response) => void grants.push(response) : { body: { siteEntry: [] } }
        )
        const [survivor, victim] = yield* Effect.all([start, start], { concurrency: "unbounded" })
        const { call } = yield* seedProcess(survivor, expiredGrant("killed"))

        const lost = call(victim).then(() => "answered", () => "lost")
        yield* eventually(Effect.sync(() => grants.length), (count) => count > 0)
        const waiting = Array.from({ length: 10 }, () => call(survivor))
        yield* victim.kill("SIGKILL")
        assert.strictEqual(yield* Effect.promise(() => lost), "lost")

        yield* eventually(Effect.sync(() => grants.length), (count) => count > 1).pipe(Effect.repeat({ times: 1 }))
        assert.lengthOf(grants, 2)
        grants[1]?.writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ access_token: "ya29.survivor-0123456789", expires_in: 3600, token_type: "Bearer" }))
        const answers = yield* Effect.promise(() => Promise.all(waiting))
        assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
      }).pipe(Effect.scoped),
    60_000
  )
})
