import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { Webhook } from "standardwebhooks"
import type { NewCredentials } from "../../src/Domain/Connection.ts"
import { newIdAt } from "../../src/Domain/NewId.ts"
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
    GSHEETS_BASE_URL: `${upstream.url}/gsheets`,
    GOOGLE_TOKEN_URL: `${upstream.url}/token`,
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
    WEBHOOK_ALLOW_PRIVATE: "true"
  })
  return { upstream, start, url }
})

const databaseClient = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(Redacted.value(url))
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const seedProcess = Effect.fnUntraced(function*(
  { admin }: ServerProcess,
  credentials: NewCredentials["credentials"],
  provider = "gsc"
) {
  const member = yield* admin.members.create({ payload: { email: "ada@example.com", client_ids: null } })
  const { key } = yield* admin.keys.create({ payload: { member_id: member.id, name: "k", access: "read_write" } })
  const { id } = yield* admin.managedConnections.create({
    payload: { provider, auth_type: "oauth", credentials, label: "ada" }
  })
  return { id, key, call: (server: ServerProcess) => server.send("POST", "/v1/call", key, siteList) }
})

const siteList = { provider: "gsc", endpoint: "sites.list" }

const clearRange = {
  provider: "gsheets",
  endpoint: "values.clear",
  input: { path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "A1:B2" } }
}

const answerFields = Schema.decodeUnknownSync(Schema.Struct({
  call_id: Schema.String,
  error: Schema.optionalKey(Schema.Struct({
    code: Schema.String,
    details: Schema.optionalKey(Schema.Struct({ call_id: Schema.optionalKey(Schema.String) }))
  }))
}))

layer(RealPostgres.layer, { excludeTestServices: true })("A killed instance", (it) => {
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
    { concurrent: true }
  )

  it.effect(
    "that had events to deliver leaves them to the other instance, and each arrives, signed, with its id",
    () =>
      Effect.gen(function*() {
        const { start, upstream, url } = yield* instances
        const database = yield* databaseClient(url)
        const [survivor, victim] = yield* Effect.all([start, start], { concurrency: "unbounded" })
        const created = yield* survivor.admin.webhooks.create({
          payload: { url: `${upstream.url}/hook`, events: ["key.created"] }
        })
        const verifier = new Webhook(created.secret)
        const received = new Map<string, number>()
        let isUp = false
        upstream.handle(({ body, headers }) => {
          const id = String(headers["webhook-id"])
          verifier.verify(body, {
            "webhook-id": id,
            "webhook-timestamp": String(headers["webhook-timestamp"]),
            "webhook-signature": String(headers["webhook-signature"])
          })
          if (!isUp) return () => {}
          received.set(id, (received.get(id) ?? 0) + 1)
          return { status: 204 }
        })
        const member = yield* survivor.admin.members.create({ payload: { email: "ada@example.com", client_ids: null } })
        const make = (server: ServerProcess, name: string) =>
          server.admin.keys.create({ payload: { member_id: member.id, name } })
        const names = Array.from({ length: 12 }, (_, index) => `key ${index}`)
        yield* Effect.forEach(names, (name) => make(victim, name), { concurrency: "unbounded" })
        yield* eventually(Effect.sync(() => upstream.requests.length), (count) => count > 0)
        yield* victim.kill("SIGKILL")
        assert.strictEqual((yield* victim.ended).signal, "SIGKILL")
        const claimedUntil = new Date(Date.now() + 30_000)
        isUp = true
        // As if the 30 seconds of the claims before were over.
        const { rows: released } = yield* Effect.promise(() =>
          database.query<{ readonly event_id: string }>(
            "UPDATE deliveries SET claimed_until = now() WHERE claimed_until <= $1 RETURNING event_id",
            [claimedUntil]
          )
        )
        yield* make(survivor, "one more")

        const { id } = created
        const events = yield* survivor.admin.webhooks.deliveries({ params: { id }, query: {} }).pipe(
          Effect.repeat({
            until: ({ deliveries }) => deliveries.every(({ status }) => status === "delivered"),
            schedule: Schedule.spaced("250 millis")
          })
        )
        assert.lengthOf(events.deliveries, names.length + 1)
        assert.sameMembers([...received.keys()], events.deliveries.map((delivery) => delivery.id))
        for (const [id, count] of received) {
          // The other instance may have been sending one that is released.
          assert.isAtMost(count, released.some((row) => row.event_id === id) ? 2 : 1)
        }
      }).pipe(Effect.scoped)
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
    { concurrent: true }
  )

  it.effect(
    "that was writing causes no second write for 100 calls with one Idempotency-Key",
    () =>
      Effect.gen(function*() {
        const { start, upstream } = yield* instances
        upstream.handle(() => () => {})
        const [survivor, victim] = yield* Effect.all([start, start], { concurrency: "unbounded" })
        const { key } = yield* seedProcess(survivor, freshGrant("killed"), "gsheets")
        const write = async (server: ServerProcess, body: unknown = clearRange) => {
          const response = await fetch(`${server.url}/v1/call`, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "idempotency-key": "order-1" },
            body: JSON.stringify(body)
          })
          const { call_id, error } = answerFields(await response.json())
          return { status: response.status, code: error?.code, details: error?.details, callId: call_id }
        }

        const first = write(victim).then(() => "answered", () => "lost")
        yield* eventually(Effect.sync(() => upstream.requests.length), (count) => count === 1)
        const others = Array.from(
          { length: 99 },
          (_, index) => write(index % 2 === 0 ? survivor : victim).then((answer) => answer, () => undefined)
        )
        yield* Effect.promise(() => Promise.any(others))
        yield* victim.kill("SIGKILL")
        assert.strictEqual(yield* Effect.promise(() => first), "lost")
        const answers = (yield* Effect.promise(() => Promise.all(others))).filter((answer) => answer !== undefined)
        assert.isAtLeast(answers.length, 50)
        for (const { code, status } of answers) {
          assert.deepStrictEqual([status, code], [409, "idempotency_in_progress"])
        }

        // The lease of the killed instance runs out.
        const last = yield* Effect.promise(() => write(survivor)).pipe(
          Effect.repeat({
            while: ({ code }) => code === "idempotency_in_progress",
            schedule: Schedule.spaced("250 millis")
          })
        )
        assert.deepStrictEqual([last.status, last.code], [409, "outcome_unknown"])
        assert.match(last.details?.call_id ?? "", /^call_/)
        const other = yield* Effect.promise(() => write(survivor, { ...clearRange, max_age: 0 }))
        assert.deepStrictEqual([other.status, other.code], [422, "idempotency_key_reused"])
        assert.lengthOf(upstream.requests, 1)
      }).pipe(Effect.scoped),
    { concurrent: true }
  )

  it.effect(
    "that had created a file leaves it to the bound that allows created files, and to no other",
    () =>
      Effect.gen(function*() {
        const { start, upstream } = yield* instances
        const [survivor, first, second] = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
        let victim: ServerProcess | undefined
        upstream.handle(({ method }) => {
          if (method === "POST" && victim !== undefined) process.kill(victim.pid, "SIGKILL")
          return { body: { spreadsheetId: `file-${upstream.requests.length}` } }
        })
        const { id: parent_id, key: unbound } = yield* seedProcess(survivor, freshGrant("killed"), "gsheets")
        const keyOf = Effect.fnUntraced(function*(name: string) {
          const { admin } = survivor
          const client = yield* admin.clients.create({ payload: { name } })
          yield* admin.managedConnections.create({
            payload: { parent_id, client_id: client.id, label: name, resources: ["gsheets:created"] }
          })
          const { id: member_id } = yield* admin.members.create({
            payload: { email: `${name}@example.com`, client_ids: [client.id] }
          })
          const { key } = yield* admin.keys.create({ payload: { member_id, name, access: "read_write" } })
          return key
        })
        const [owner, other] = [yield* keyOf("owner"), yield* keyOf("other")]
        const create = (server: ServerProcess) =>
          server.send("POST", "/v1/call", owner, { provider: "gsheets", endpoint: "spreadsheets.create" })
        const statusOf = (key: string, spreadsheetId: string, connection_id?: string) =>
          Effect.promise(async () => {
            const input = { path: { spreadsheetId } }
            const body = { provider: "gsheets", endpoint: "spreadsheets.get", input, connection_id }
            return (await survivor.send("POST", "/v1/call", key, body)).status
          })

        const answer = yield* Effect.promise(() =>
          create(first).then((answer) => {
            process.kill(first.pid, "SIGKILL")
            return answer
          })
        )
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepStrictEqual([yield* statusOf(owner, "file-1"), yield* statusOf(other, "file-1")], [200, 404])

        // The answer with the id of the file reaches nobody.
        victim = second
        const lost = `file-${upstream.requests.length + 1}`
        assert.strictEqual(yield* Effect.promise(() => create(second).then(() => "answered", () => "lost")), "lost")
        assert.deepStrictEqual([yield* statusOf(owner, lost), yield* statusOf(other, lost)], [404, 404])
        assert.strictEqual(yield* statusOf(unbound, lost, parent_id), 200)
      }).pipe(Effect.scoped),
    { concurrent: true }
  )

  it.effect(
    "that was counting an hour for the statistics leaves it to another instance, which counts each call once",
    () =>
      Effect.gen(function*() {
        const { start, url } = yield* instances
        const first = yield* start
        yield* first.kill("SIGTERM")
        yield* first.ended
        const database = yield* databaseClient(url)
        const query = (text: string, values?: ReadonlyArray<unknown>) =>
          Effect.promise(async () => (await database.query(text, values && [...values])).rows)
        const hours = [2, 3, 3, 4].map((hours) => Date.now() - hours * 3_600_000)
        for (const millis of hours) {
          yield* query(
            `INSERT INTO calls (id, created_at, provider, target, outcome, http_status, latency_ms, cost_usd, cached)
             VALUES ($1, $2, 'gsc', 'raw:sites.list', 'ok', 200, 10, 0, false)`,
            [newIdAt("call", millis), new Date(millis)]
          )
        }
        // Blocks the count after it has written the figures of an hour, before it commits.
        yield* query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'`)
        yield* query("CREATE TRIGGER wait BEFORE UPDATE ON call_stats_progress FOR EACH ROW EXECUTE FUNCTION wait()")
        yield* query("SELECT pg_advisory_lock(1)")
        const waiting = query(
          "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        const victim = yield* start
        yield* eventually(waiting, ({ length }) => length === 1)
        yield* victim.kill("SIGKILL")
        yield* victim.ended
        yield* query("SELECT pg_advisory_unlock(1)")
        yield* query("DROP TRIGGER wait ON call_stats_progress")
        assert.deepStrictEqual(yield* query("SELECT * FROM call_stats"), [])

        const survivor = yield* start
        const total = Effect.map(survivor.admin.adminStats.read({ query: { bucket: "hour" } }), ({ buckets }) =>
          buckets.map(({ calls }) => calls))
        assert.deepStrictEqual(yield* total, [1, 2, 1])
        const counted = query(
          "SELECT sum(calls)::int AS calls FROM call_stats WHERE dimension = 'all' AND hours = 1 AND scope = '*'"
        )
        yield* eventually(counted, ([row]) =>
          row?.calls === hours.length)
        yield* eventually(
          query("SELECT counted_until FROM call_stats_progress"),
          ([row]) => row?.counted_until !== null
        )
        assert.deepStrictEqual(yield* total, [1, 2, 1])
        assert.deepStrictEqual(yield* counted, [{ calls: hours.length }])
      }).pipe(Effect.scoped),
    { concurrent: true }
  )
})
