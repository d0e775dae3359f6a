import { Duration, Effect, Exit, Layer, Option, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as diagnostics from "node:diagnostics_channel"
import { Socket } from "node:net"
import type { Meter } from "../Observability/Meter.ts"
import { Metrics } from "../Observability/Metrics.ts"
import { databaseUrl } from "../Settings.ts"

const probeInterval = Duration.seconds(10)

const probeTimeout = Duration.seconds(5)

export const probeDatabase = Effect.fnUntraced(function*(meter: Meter) {
  const sql = yield* SqlClient.SqlClient
  let up = 0
  let seconds = 0
  meter.gauge({ name: "openaccounts_database_up", help: "1 while the database answers, otherwise 0." }, () => up)
  meter.gauge(
    {
      name: "openaccounts_database_round_trip_seconds",
      help: "Duration of the last probe statement, with its wait for a connection."
    },
    () => seconds
  )
  const probe = sql`SELECT 1`.pipe(
    Effect.timeout(probeTimeout),
    Effect.exit,
    Effect.timed,
    Effect.map(([took, exit]) => {
      up = Exit.isSuccess(exit) ? 1 : 0
      seconds = Duration.toSeconds(took)
    }),
    Effect.withTracerEnabled(false)
  )
  yield* Effect.forkScoped(Effect.repeat(probe, Schedule.spaced(probeInterval)))
})

/** Counts the sockets to the database's port, because the client does not report its connections. */
export const observeConnections = Effect.fnUntraced(function*(meter: Meter) {
  const url = yield* databaseUrl
  if (Option.isNone(url)) return
  const port = Number(URL.parse(Redacted.value(url.value))?.port || 5432)
  let open = 0
  meter.gauge(
    { name: "openaccounts_database_connections", help: "Connections of this instance to the database." },
    () => open
  )
  const onSocket = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return
    const { socket } = message
    if (!(socket instanceof Socket)) return
    socket.once("connect", () => {
      if (socket.remotePort !== port) return
      open++
      socket.once("close", () => open--)
    })
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => diagnostics.subscribe("net.client.socket", onSocket)),
    () => Effect.sync(() => diagnostics.unsubscribe("net.client.socket", onSocket))
  )
})

const layerWithMeter = <E, R>(observe: (meter: Meter) => Effect.Effect<void, E, R>) =>
  Layer.effectDiscard(Effect.flatMap(Metrics, (meter) => meter === undefined ? Effect.void : observe(meter)))

/** Must be built before the database, to count its first connection. */
export const ConnectionMetrics = layerWithMeter(observeConnections)

export const DatabaseProbe = layerWithMeter(probeDatabase)
