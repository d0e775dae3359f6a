import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { clearRange } from "../Http/Fixture.ts"
import { at } from "../Service/SandboxServer.ts"
import { eventually } from "../support/Eventually.ts"
import type { ServerProcess } from "../support/ServerProcess.ts"
import { expiredGrant, TestServer } from "../support/TestServer.ts"
import { call, Instances, lost, reply } from "./Instances.ts"
import { approvedWrites } from "./killed/ApprovedWrites.ts"
import { background } from "./killed/Background.ts"

/** For longer runs: `KILLS=20 CALLS=200`. */
const kills = Number(process.env["KILLS"] ?? 1)
const calls = Number(process.env["CALLS"] ?? 50)

layer(Instances.layer, { excludeTestServices: true })("A killed instance", (it) => {
  it.effect("has said, as the other one, whether it leaves an embedded database unused, and where", () =>
    Effect.gen(function*() {
      const { folder, survivor, victim } = yield* Instances
      assert.include(survivor.output(), `the embedded database in ${join(folder, "db")} is not used`)
      assert.include(survivor.output(), "start without DATABASE_URL and with the same DATA_DIR")
      assert.notInclude((yield* victim).output(), "is not used")
    }))

  it.effect(`has logged every answered call, under ${calls} concurrent calls`, () =>
    Effect.gen(function*() {
      const { killVictim, seed, survivor, upstream, victim } = yield* Instances
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { readOnly: key } = yield* seed()
      for (let round = 0; round < kills; round++) {
        const server = yield* victim
        const answered: Array<string> = []
        const fatal = 1 + (round * 37 + 7) % calls
        yield* Effect.promise(() =>
          Promise.allSettled(Array.from({ length: calls }, async () => {
            const { status, text, value } = await call(server, key)
            assert.strictEqual(status, 200, text)
            answered.push(value.call_id)
            if (answered.length === fatal) process.kill(server.pid, "SIGKILL")
          }))
        )
        assert.isAtLeast(answered.length, fatal)
        yield* killVictim
        const found = yield* Effect.forEach(
          answered,
          (id) => Effect.promise(() => survivor.send("GET", `/v1/logs/${id}`, key)),
          { concurrency: 20 }
        )
        assert.deepStrictEqual(found.map(({ text }) => JSON.parse(text).outcome), answered.map(() => "ok"))
      }
    }))

  it.effect("that was refreshing a token leaves the refresh to the other instance, which answers all its calls", () =>
    Effect.gen(function*() {
      const { killVictim, seed, survivor, upstream, victim } = yield* Instances
      const grants: Array<ServerResponse> = []
      upstream.handle(({ url }) =>
        url === "/token" ? (response) => void grants.push(response) : { body: { siteEntry: [] } }
      )
      const { readOnly: key } = yield* seed({ credentials: expiredGrant("killed") })
      const first = lost(call(yield* victim, key))
      yield* eventually(Effect.sync(() => grants.length), (count) => count > 0)
      const waiting = Array.from({ length: 10 }, () => call(survivor, key))
      yield* killVictim
      assert.strictEqual(yield* Effect.promise(() => first), "lost")

      yield* eventually(Effect.sync(() => grants.length), (count) => count > 1).pipe(Effect.repeat({ times: 1 }))
      assert.lengthOf(grants, 2)
      reply(grants[1], { access_token: "ya29.survivor-0123456789", expires_in: 3600, token_type: "Bearer" })
      const answers = yield* Effect.promise(() => Promise.all(waiting))
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
    }))

  it.effect("that was writing causes no second write for 100 calls with one Idempotency-Key", () =>
    Effect.gen(function*() {
      const { killVictim, seed, survivor, upstream, victim } = yield* Instances
      upstream.handle(() => () => {})
      const { readWrite: key } = yield* seed({ provider: "gsheets" })
      const write = ({ url }: ServerProcess, body: unknown = clearRange) =>
        Effect.map(
          TestServer.at(url, "").request("POST", "/v1/call", { key, body, headers: { "idempotency-key": "order-1" } }),
          ({ json, status }) => ({
            outcome: [status, at(json, "error.code")],
            callId: at(json, "error.details.call_id")
          })
        )
      const server = yield* victim
      const first = yield* Effect.forkChild(Effect.exit(write(server)))
      yield* eventually(Effect.sync(() => upstream.requests.length), (count) => count === 1)
      const inProgress = [409, "idempotency_in_progress"]
      assert.deepStrictEqual((yield* write(server)).outcome, inProgress)
      const others = yield* Effect.forEach(
        Array.from({ length: 98 }, (_, index) => index % 2 === 0 ? survivor : server),
        (each) => Effect.forkChild(Effect.exit(write(each)))
      )
      yield* killVictim
      assert.strictEqual((yield* Fiber.join(first))._tag, "Failure")
      const answers = (yield* Fiber.joinAll(others)).flatMap((exit) => exit._tag === "Success" ? [exit.value] : [])
      assert.isAtLeast(answers.length, 49)
      for (const { outcome } of answers) assert.deepStrictEqual(outcome, inProgress)

      // The lease of the killed instance runs out.
      const last = yield* write(survivor).pipe(
        Effect.repeat({
          while: ({ outcome }) => outcome[1] === "idempotency_in_progress",
          schedule: Schedule.spaced("250 millis")
        })
      )
      assert.deepStrictEqual(last.outcome, [409, "outcome_unknown"])
      assert.match(String(last.callId), /^call_/)
      const other = yield* write(survivor, { ...clearRange, max_age: 0 })
      assert.deepStrictEqual(other.outcome, [422, "idempotency_key_reused"])
      assert.lengthOf(upstream.requests, 1)
    }))

  it.effect("that had created a file leaves it to the bound that allows created files, and to no other", () =>
    Effect.gen(function*() {
      const { killVictim, seed, survivor, upstream, victim } = yield* Instances
      const server = yield* victim
      let dies = false
      upstream.handle(({ method }) => {
        if (method === "POST" && dies) process.kill(server.pid, "SIGKILL")
        return { body: { spreadsheetId: `file-${upstream.requests.length}` } }
      })
      const { connection: { id: parent_id }, readWrite: unbound } = yield* seed({ provider: "gsheets" })
      const bound = Effect.gen(function*() {
        const { client, name, readWrite } = yield* seed()
        const payload = { parent_id, client_id: client.id, label: name, resources: ["gsheets:created"] }
        yield* survivor.admin.managedConnections.create({ payload })
        return readWrite
      })
      const [owner, other] = [yield* bound, yield* bound]
      const create = () => call(server, owner, { provider: "gsheets", endpoint: "spreadsheets.create" })
      const statuses = (spreadsheetId: string) =>
        Effect.promise(() =>
          Promise.all([owner, other, unbound].map(async (key) => {
            const input = { path: { spreadsheetId } }
            return (await call(survivor, key, { provider: "gsheets", endpoint: "spreadsheets.get", input })).status
          }))
        )
      const { status, text } = yield* Effect.promise(create)
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(yield* statuses("file-1"), [200, 404, 200])

      // The answer with the id of the file reaches nobody.
      dies = true
      const unknown = `file-${upstream.requests.length + 1}`
      assert.strictEqual(yield* Effect.promise(() => lost(create())), "lost")
      yield* killVictim
      assert.deepStrictEqual(yield* statuses(unknown), [404, 404, 200])
      assert.deepStrictEqual(yield* statuses("file-1"), [200, 404, 200])
    }))

  background(it)
  approvedWrites(it)
})
