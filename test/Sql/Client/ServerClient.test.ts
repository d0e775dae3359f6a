import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { connect, createServer, type Socket } from "node:net"
import { serverClient } from "../../../src/Sql/Client/ServerClient.ts"
import { Database } from "../../../src/Sql/Database.ts"
import { listening } from "../../support/Listening.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { asksInOrder } from "../suites/Order.ts"

/** After `cut`, open connections transfer nothing and never close. */
const relayTo = Effect.fnUntraced(function*(port: number) {
  const open = new Set<Socket>()
  const lost = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1")
    for (const [from, to] of [[near, far], [far, near]] as const) {
      open.add(from)
      from.on("data", (bytes) => lost.has(from) || to.write(bytes)).on("error", () => to.destroy())
      from.on("close", () => to.destroy())
    }
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach((socket) => socket.destroy())))
  return {
    port: yield* listening(server),
    cut: () => open.forEach((socket) => lost.add(socket)),
    close: () => open.forEach((socket) => socket.destroy())
  }
})
type Relay = Effect.Success<ReturnType<typeof relayTo>>

const withRelay = Effect.fnUntraced(
  function*<A, E>(test: (sql: SqlClient.SqlClient, relay: Relay) => Effect.Effect<A, E>) {
    const url = new URL(Redacted.value(yield* (yield* RealPostgres).createDatabase))
    const relay = yield* relayTo(Number(url.port))
    url.port = `${relay.port}`
    yield* test(
      yield* serverClient({ url: Redacted.make(url.href), maxConnections: 2, timeout: Duration.seconds(1) }),
      relay
    )
  },
  Effect.provide(Reactivity.layer)
)

/** Runs a statement about the role of the URL. */
const asOwner = <A, E>(url: URL, statement: (sql: SqlClient.SqlClient, role: Fragment) => Effect.Effect<A, E>) => {
  const owner = new URL(url)
  owner.username = "postgres"
  return Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => statement(sql, sql`${sql(url.username)}`)),
    withOneConnection(Redacted.make(owner.href))
  )
}

const withOneConnection = (url: Redacted.Redacted) =>
  Layer.effect(SqlClient.SqlClient, serverClient({ url, maxConnections: 1 })).pipe(Layer.provide(Reactivity.layer))
const onOneConnection = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function*() {
    yield* Effect.provide(test, withOneConnection(yield* (yield* RealPostgres).createDatabase))
  })

layer(RealPostgres.layer, { excludeTestServices: true })("the client of a Postgres server", (it) => {
  const notInTime = "did not answer within 1s 500ms"

  it.effect("fails a statement after a timeout when the database stops responding, and the next one uses a new connection", () =>
    withRelay((sql, { cut }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        cut()
        const error = yield* Effect.flip(sql`SELECT 1`)
        assert.include(error.reason.message, notInTime)
        assert.deepStrictEqual(yield* sql`SELECT 2 AS two`, [{ two: 2 }])
      })
    ))

  it.effect("fails a transaction after a timeout when the database stops responding, and lets the next one begin", () =>
    withRelay((sql, { cut }) =>
      Effect.gen(function*() {
        const lost = sql.withTransaction(Effect.andThen(Effect.tap(sql`SELECT 1`, Effect.sync(cut)), sql`SELECT 1`))
        assert.include((yield* Effect.flip(lost)).reason.message, notInTime)
        assert.deepStrictEqual(yield* sql.withTransaction(sql`SELECT 2 AS two`), [{ two: 2 }])
      })
    ))

  it.effect("fails a transaction with a SQL error when its connection closes", () =>
    withRelay((sql, { close }) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(sql.withTransaction(Effect.andThen(Effect.sync(close), sql`SELECT 1`)))
        assert.strictEqual(error.reason._tag, "ConnectionError")
        assert.deepStrictEqual(yield* sql.withTransaction(sql`SELECT 2 AS two`), [{ two: 2 }])
      })
    ))

  it.effect("waits for its own connections where the server allows no further ones", () =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* (yield* RealPostgres).createDatabase))
      url.username = `limited${url.pathname.slice(1)}`
      yield* Effect.acquireRelease(
        asOwner(url, (sql, role) => sql`CREATE ROLE ${role} LOGIN PASSWORD 'password' CONNECTION LIMIT 2`),
        () => Effect.orDie(asOwner(url, (sql, role) => sql`DROP ROLE ${role}`))
      )
      const sql = yield* serverClient({ url: Redacted.make(url.href) })
      const slow = sql`SELECT pg_sleep(0.05)`
      const all = Array.from({ length: 8 }, (_, index) => index % 2 === 0 ? slow : sql.withTransaction(slow))
      yield* Effect.all(all, { concurrency: "unbounded" })
    }).pipe(Effect.provide(Reactivity.layer)))

  it.effect("starts and runs with its own settings where those of the database would fail it", () =>
    Effect.gen(function*() {
      const url = yield* (yield* RealPostgres).createDatabase
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      const set = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        for (const setting of ["default_transaction_isolation = serializable", "statement_timeout = 1"]) {
          yield* sql`ALTER DATABASE ${sql(name)} SET ${sql.literal(setting)}`
        }
      })
      yield* Effect.provide(set, withOneConnection(url))
      const shown = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SHOW transaction_isolation`)
      assert.deepStrictEqual(yield* Effect.provide(shown, Database.layerServer({ url })), [
        { transaction_isolation: "read committed" }
      ])
    }))

  it.effect(
    "runs statements and transactions in the order in which they are asked for",
    () => onOneConnection(asksInOrder)
  )

  it.effect("fails a transaction that is committed after one of its statements failed", () =>
    onOneConnection(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(sql.withTransaction(Effect.ignore(sql`SELECT 1 / 0`)))
      assert.include(error.reason.message, "rolled back")
    })))
})
