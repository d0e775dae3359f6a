import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as net from "node:net"
import { Meter } from "../../src/Observability/Meter.ts"
import { observeConnections, probeDatabase } from "../../src/Sql/DatabaseMetrics.ts"
import { parse } from "../Observability/Exposition.ts"
import { eventually } from "../support/Eventually.ts"

const silentServer = Effect.acquireRelease(
  Effect.callback<{ readonly server: net.Server; readonly port: number }>((resume) => {
    const server = net.createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address !== null && typeof address === "object") resume(Effect.succeed({ server, port: address.port }))
    })
  }),
  ({ server }) => Effect.sync(() => server.close())
)

const connection = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<net.Socket>((resume) => {
      const socket = net.connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("database metrics", () => {
  it.live("count the open connections to the database alone", () =>
    Effect.gen(function*() {
      const { port } = yield* silentServer
      const other = yield* silentServer
      const meter = new Meter()
      const url = `postgres://user:password@127.0.0.1:${port}/database`
      yield* observeConnections(meter).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE_URL: url })))
      )
      const open = Effect.sync(() => parse(meter.prometheus()).values.get("openaccounts_database_connections"))
      assert.strictEqual(yield* open, 0)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Effect.all([connection(port), connection(port), connection(other.port)])
        assert.strictEqual(yield* open, 2)
      }))
      assert.strictEqual(yield* eventually(open, (count) => count === 0), 0)
    }).pipe(Effect.scoped))

  it.live("report a database that does not respond", () =>
    Effect.gen(function*() {
      const { port, server } = yield* silentServer
      server.close()
      const meter = new Meter()
      const url = Redacted.make(`postgres://user:password@127.0.0.1:${port}/database`)
      yield* Effect.provide(probeDatabase(meter), yield* Layer.build(PgClient.layer({ url })))
      const values = yield* eventually(
        Effect.sync(() => parse(meter.prometheus()).values),
        (values) => values.get("openaccounts_database_round_trip_seconds") !== 0
      )
      assert.strictEqual(values.get("openaccounts_database_up"), 0)
    }).pipe(Effect.scoped))
})
