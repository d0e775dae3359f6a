import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { redactingLogger } from "../../src/Secrets/Redaction/RedactingLogger.ts"
import { clearRange, loggedCall, sitesList } from "../Http/Fixture.ts"
import { at } from "../Sql/At.ts"
import { StoredLog } from "../Sql/StoredLog.ts"
import { type Answer, assertError, errorIn } from "../support/Answer.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { OwnPostgres } from "../support/RealPostgres.ts"
import { seed, TestServer } from "../support/TestServer.ts"

const logLines: Array<string> = []

const ServiceLog = Logger.layer([redactingLogger(Logger.map(Logger.formatLogFmt, (line) => void logLines.push(line)))])

const isLogged = (text: string) => logLines.some((line) => line.includes(text))

class Operator extends Context.Service<Operator, SqlClient.SqlClient>()("openaccounts/test/Operator") {}

const TestLayer = Layer.unwrap(Effect.gen(function*() {
  const url = yield* (yield* OwnPostgres).createDatabase
  const operator = Layer.effect(Operator, SqlClient.SqlClient).pipe(
    Layer.provide(Layer.fresh(PgClient.layer({ url, applicationName: "operator" })))
  )
  return TestServer.make({
    DATABASE_URL: Redacted.value(url),
    DATABASE_TIMEOUT: "2 seconds",
    DATABASE_MAX_CONNECTIONS: "2",
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url")
  }).pipe(Layer.provide(ServiceLog), Layer.provideMerge(operator))
})).pipe(Layer.provideMerge(OwnPostgres.layer))

const seedCaller = Effect.gen(function*() {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  upstream.handle(() => ({ body: {} }))
  const { connect, readWrite } = yield* eventually(seed(), () => true)
  yield* connect({ provider: "gsheets" })
  const read = server.call(readWrite, sitesList)
  const write = server.call(readWrite, clearRange)
  assert.strictEqual((yield* read).status, 200)
  assert.strictEqual((yield* write).status, 200)
  logLines.length = 0
  return { read, write, key: readWrite }
})

const ready = Effect.map(
  Effect.flatMap(TestServer, (server) => server.request("GET", "/readyz")),
  ({ status }) => status === 200
)

layer(TestLayer, { excludeTestServices: true })("A service whose database", (it) => {
  it.effect("becomes read-only answers completed writes, fails reads, and recovers by itself", () =>
    Effect.gen(function*() {
      const { read, write } = yield* seedCaller
      const sql = yield* Operator
      const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
      const database = sql(row?.name ?? "")
      yield* sql`ALTER DATABASE ${database} SET default_transaction_read_only = on`
      yield* sql`
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'openaccounts'`

      yield* eventually(ready, (isReady) => !isReady)
      assertError(yield* read, 500, "internal_error")
      assert.isTrue(isLogged("A call could not be logged"))
      assert.strictEqual((yield* write).status, 200)

      yield* sql`SET default_transaction_read_only = off`
      yield* sql`ALTER DATABASE ${database} RESET default_transaction_read_only`
      yield* eventually(read, ({ status }) => status === 200)
      assert.isTrue(yield* eventually(ready, (isReady) => isReady))
    }))

  it.effect("is locked fails every call in time, and recovers by itself", () =>
    Effect.gen(function*() {
      const { read, write } = yield* seedCaller
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

  it.effect("has a long read transaction still gets new log partitions and delays no call", () =>
    Effect.gen(function*() {
      const { read } = yield* seedCaller
      const sql = yield* Operator
      const partitions = Effect.map(
        sql<{ readonly name: string }>`
          SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'calls'::regclass`,
        (rows) => rows.map(({ name }) => name)
      )
      const before = yield* partitions
      const later = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.days(1000))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT id FROM calls LIMIT 1`
        yield* Effect.all([
          Effect.scoped(Layer.build(Layer.fresh(StoredLog))).pipe(at(later)),
          Effect.map(read, ({ status }) => assert.strictEqual(status, 200))
        ], { concurrency: "unbounded" })
      }))
      assert.lengthOf(yield* partitions, before.length + 9)
      assert.includeMembers([...(yield* partitions)], [...before])
    }))

  it.effect("is restarted under load loses no answered call, and recovers by itself", () =>
    Effect.gen(function*() {
      const { key, read } = yield* seedCaller
      const postgres = yield* OwnPostgres
      const answers: Array<Answer> = []
      let isOver = false
      const caller = Effect.suspend(() => Effect.map(read, (answer) => void answers.push(answer))).pipe(
        Effect.repeat({ until: () => isOver })
      )
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

      const outcomes = answers.map((answer) =>
        answer.status === 200 ? "ok" : `${answer.status} ${errorIn(answer).code}`
      )
      assert.deepStrictEqual([...new Set(outcomes)].toSorted(), ["500 internal_error", "ok"])
      const successes = answers.filter(({ status }) => status === 200)
      const found = yield* Effect.forEach(
        successes,
        ({ callId }) =>
          loggedCall(key, callId).pipe(
            // A connection can still be broken after the restart.
            Effect.retry({ while: (error) => error._tag === "InternalError", times: 10 }),
            Effect.map(({ outcome }) => outcome)
          ),
        { concurrency: 8 }
      )
      assert.deepStrictEqual(found, successes.map(() => "ok"))
      assert.isTrue(isLogged("A call could not be logged"))
    }))
})
