import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as net from "node:net"
import { Meter } from "../../src/Observability/Meter.ts"
import { observeConnections, probeDatabase } from "../../src/Sql/DatabaseMetrics.ts"
import { parse } from "../Observability/Exposition.ts"
import { eventually } from "../support/Eventually.ts"
import { listening } from "../support/Listening.ts"

const silentServer = Effect.suspend(() => listening(net.createServer()))

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
      const [port, other] = [yield* silentServer, yield* silentServer]
      const meter = new Meter()
      const url = `postgres://user:password@127.0.0.1:${port}/database`
      yield* observeConnections(meter).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE_URL: url })))
      )
      const open = Effect.sync(() => parse(meter.prometheus()).values.get("openaccounts_database_connections"))
      assert.strictEqual(yield* open, 0)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Effect.all([connection(port), connection(port), connection(other)])
        assert.strictEqual(yield* open, 2)
      }))
      assert.strictEqual(yield* eventually(open, (count) => count === 0), 0)
    }).pipe(Effect.scoped))

  it.live("report a database that does not respond", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(silentServer)
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
