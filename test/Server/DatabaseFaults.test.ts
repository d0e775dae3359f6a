import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { redactingLogger } from "../../src/Redaction/RedactingLogger.ts"
import { assertError, clearRange, sitesList } from "../Http/World.ts"
import { at } from "../Sql/At.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"

const operatorReads: Array<string> = []

const OperatorLog = Logger.layer([
  redactingLogger(Logger.map(Logger.formatLogFmt, (line) => void operatorReads.push(line)))
])

const told = (what: string) => operatorReads.some((line) => line.includes(what))

/** A session of the operator's own, past the service. */
class Operator extends Context.Service<Operator, SqlClient.SqlClient>()("openaccounts/test/Operator") {}

const Service = Layer.unwrap(Effect.gen(function*() {
  const url = yield* (yield* RealPostgres).createDatabase
  const operator = Layer.effect(Operator, SqlClient.SqlClient).pipe(
    Layer.provide(Layer.fresh(PgClient.layer({ url, applicationName: "operator" })))
  )
  return TestServer.make({
    DATABASE_URL: Redacted.value(url),
    DATABASE_TIMEOUT: "1 second",
    DATABASE_MAX_CONNECTIONS: "2",
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url")
  }).pipe(Layer.provide(OperatorLog), Layer.provideMerge(operator))
})).pipe(Layer.provideMerge(RealPostgres.layer))

/** Somebody who reads and writes, once calls get through. */
const user = Effect.gen(function*() {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body: {} }))
  const { client, name, readWrite } = yield* eventually(seed(), () => true)
  yield* server.admin("POST", "/connections", {
    provider: "gsheets",
    auth_type: "oauth",
    credentials: freshGrant(name),
    client_id: client.id,
    label: name
  })
  const read = server.call(readWrite, sitesList)
  const write = server.call(readWrite, clearRange)
  assert.strictEqual((yield* read).status, 200)
  assert.strictEqual((yield* write).status, 200)
  operatorReads.length = 0
  return { server, read, write, key: readWrite }
})

const ready = Effect.map(
  Effect.flatMap(TestServer, (server) => server.request("GET", "/readyz")),
  ({ status }) => status === 200
)

layer(Service, { excludeTestServices: true })("a service whose database", (it) => {
  it.effect("has become read-only answers writes that were carried out, fails reads, and goes on by itself", () =>
    Effect.gen(function*() {
      const { read, write } = yield* user
      const sql = yield* Operator
      const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
      const database = sql(row?.name ?? "")
      yield* sql`ALTER DATABASE ${database} SET default_transaction_read_only = on`
      yield* sql`
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'openaccounts'`

      yield* eventually(ready, (isReady) => !isReady)
      assertError(yield* read, 500, "internal_error")
      assert.isTrue(told("A call could not be logged"))
      assert.strictEqual((yield* write).status, 200)

      yield* sql`SET default_transaction_read_only = off`
      yield* sql`ALTER DATABASE ${database} RESET default_transaction_read_only`
      yield* eventually(read, ({ status }) => status === 200)
      assert.isTrue(yield* eventually(ready, (isReady) => isReady))
    }))

  it.effect("has no space left answers writes that were carried out, fails reads, and goes on by itself", () =>
    Effect.gen(function*() {
      const { read, write } = yield* user
      const sql = yield* Operator
      yield* sql`
        CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`
      yield* sql`CREATE TRIGGER no_space BEFORE INSERT ON calls FOR EACH ROW EXECUTE FUNCTION no_space()`
      assertError(yield* read, 500, "internal_error")
      assert.isTrue(told("No space left on device"))
      assert.strictEqual((yield* write).status, 200)

      yield* sql`DROP FUNCTION no_space CASCADE`
      assert.strictEqual((yield* read).status, 200)
    }))

  it.effect("keeps everybody waiting fails every call in time, and goes on by itself", () =>
    Effect.gen(function*() {
      const { read, write } = yield* user
      const sql = yield* Operator
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`LOCK TABLE calls`
        assert.strictEqual((yield* write).status, 200)
        yield* sql`LOCK TABLE keys, connections`
        const answers = yield* Effect.all(Array.from({ length: 100 }, () => read), { concurrency: "unbounded" })
        for (const answer of answers) assertError(answer, 500, "internal_error")
      }))
      yield* eventually(read, ({ status }) => status === 200)
      assert.isTrue(yield* eventually(ready, (isReady) => isReady))
    }))

  it.effect("is read for long, by a backup say, makes the log's new partitions and keeps no call waiting", () =>
    Effect.gen(function*() {
      const { read } = yield* user
      const sql = yield* Operator
      const partitions = Effect.map(
        sql<{ readonly name: string }>`
          SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'calls'::regclass`,
        (rows) => rows.map(({ name }) => name)
      )
      const before = yield* partitions
      const inYears = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.days(1000))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT id FROM calls LIMIT 1`
        yield* Effect.all([
          Effect.scoped(Layer.build(Layer.fresh(CallLog.layer))).pipe(at(inYears)),
          Effect.map(read, ({ status }) => assert.strictEqual(status, 200))
        ], { concurrency: "unbounded" })
      }))
      assert.lengthOf(yield* partitions, before.length + 9)
      assert.includeMembers([...(yield* partitions)], [...before])
    }))

  it.effect("comes back without its latest calls lacks nothing of those that have the same answer afterwards", () =>
    Effect.gen(function*() {
      const { key, read, server } = yield* user
      const siteEntry = Array.from({ length: 50 }, (_, number) => ({ siteUrl: `sc-domain:${number}.example.com` }))
      const upstream = yield* LoopbackUpstream
      upstream.handle(() => ({ body: { siteEntry } }))
      const sql = yield* Operator
      const postgres = yield* RealPostgres
      const callIds = [(yield* read).json.call_id, (yield* read).json.call_id]
      const [again] = yield* sql`SELECT same_data_as FROM calls WHERE id = ${callIds[1]}`
      assert.deepStrictEqual(again, { same_data_as: callIds[0] })

      yield* postgres.stop
      yield* postgres.start
      yield* eventually(Effect.exit(sql`DELETE FROM calls`), Exit.isSuccess)
      const { json } = yield* eventually(read, ({ status }) => status === 200)
      const logged = yield* server.request("GET", `/v1/logs/${json.call_id}`, { key })
      assert.deepStrictEqual(logged.json.response.data, { siteEntry })
    }))

  it.effect("is stopped and started again under load loses nothing that was answered, and goes on by itself", () =>
    Effect.gen(function*() {
      const { key, read, server } = yield* user
      const postgres = yield* RealPostgres
      const answers: Array<{ readonly status: number; readonly code: unknown; readonly id: string }> = []
      let isOver = false
      const caller = Effect.suspend(() =>
        Effect.map(read, ({ json, status }) => {
          answers.push({ status, code: json.error?.code, id: json.call_id })
        })
      ).pipe(Effect.repeat({ until: () => isOver }))
      const answered = (status: number) => {
        const before = answers.length
        return eventually(
          Effect.sync(() => answers.slice(before).some((answer) => answer.status === status)),
          (seen) => seen
        )
      }
      const outage = Effect.gen(function*() {
        yield* answered(200)
        yield* postgres.stop
        yield* answered(500)
        assert.isFalse(yield* ready)
        yield* postgres.start
        assert.isTrue(yield* answered(200))
        isOver = true
      })
      yield* Effect.all([outage, ...Array.from({ length: 8 }, () => caller)], { concurrency: "unbounded" })

      assert.deepStrictEqual([...new Set(answers.map(({ code, status }) => `${status} ${code}`))].toSorted(), [
        "200 undefined",
        "500 internal_error"
      ])
      const successes = answers.filter(({ status }) => status === 200)
      const found = yield* Effect.forEach(
        successes,
        ({ id }) => Effect.map(server.request("GET", `/v1/logs/${id}`, { key }), ({ json }) => json.outcome),
        { concurrency: 8 }
      )
      assert.deepStrictEqual(found, successes.map(() => "ok"))
      assert.isTrue(told("A call could not be logged"))
    }))
})
