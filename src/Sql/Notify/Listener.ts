import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Queue, Schedule, Scope } from "effect"

const reconnectSchedule = Schedule.jittered(Schedule.spaced(Duration.seconds(1)))

/** Detects a connection that is lost without a close, for example in a firewall. */
const heartbeatInterval = Duration.seconds(5)

/**
 * Listens on its own connection, which it reopens. Payloads are lost in between, so `onListening` runs after each
 * opening.
 */
export const listen = Effect.fnUntraced(function*(
  config: PgConnection.Config,
  channel: string,
  on: { readonly onListening: () => void; readonly onPayload: (payload: string) => void }
) {
  let isConnected = true

  const listen = Effect.gen(function*() {
    const connection = yield* Effect.flatMap(PgConnection.make(config), ({ pin }) => pin)
    // Stays open: closing it would send UNLISTEN and wait for a server that may be gone.
    const openScope = yield* Scope.make()
    const notifications = yield* Scope.provide(connection.listen(channel), openScope)
    if (!isConnected) yield* Effect.logInfo("Listening for changes of other instances again")
    isConnected = true
    on.onListening()

    const receive = Effect.map(Queue.take(notifications), ({ payload }) => on.onPayload(payload))
    const beat = connection.query("SELECT 1").pipe(Effect.timeout(heartbeatInterval), Effect.delay(heartbeatInterval))
    return yield* Effect.raceFirst(Effect.forever(receive), Effect.forever(beat))
  })

  yield* Effect.scoped(listen).pipe(
    Effect.tapCause((cause) => {
      if (!isConnected) return Effect.void
      isConnected = false
      return Effect.logWarning("Cannot listen for changes of other instances: they are seen late", cause)
    }),
    Effect.retry(reconnectSchedule),
    Effect.forkScoped
  )
})
