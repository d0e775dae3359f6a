import { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Queue, Schedule, Scope } from "effect"

/** How often a lost connection is tried again. */
const reconnect = Schedule.jittered(Schedule.spaced(Duration.seconds(1)))

/** A connection on which nothing is said may be gone without a word: a firewall forgets it, a host vanishes. */
const heartbeat = Duration.seconds(5)

/**
 * Listens on a channel for as long as the scope is open, on a connection of its own. What is said while there is none
 * is missed: `onListening` runs whenever there is one again.
 */
export const listen = Effect.fnUntraced(function*(
  config: PgConnection.Config,
  channel: string,
  on: { readonly onListening: () => void; readonly onPayload: (payload: string) => void }
) {
  let isHeard = true

  const listen = Effect.gen(function*() {
    const connection = yield* Effect.flatMap(PgConnection.make(config), ({ pin }) => pin)
    // The end of the connection ends the listening. UNLISTEN would wait for a server that may be gone.
    const forever = yield* Scope.make()
    const notifications = yield* Scope.provide(connection.listen(channel), forever)
    if (!isHeard) yield* Effect.logInfo("What other instances change is heard again")
    isHeard = true
    on.onListening()

    const receive = Effect.map(Queue.take(notifications), ({ payload }) => on.onPayload(payload))
    const beat = connection.query("SELECT 1").pipe(Effect.timeout(heartbeat), Effect.delay(heartbeat))
    return yield* Effect.raceFirst(Effect.forever(receive), Effect.forever(beat))
  })

  yield* Effect.scoped(listen).pipe(
    Effect.tapCause((cause) => {
      if (!isHeard) return Effect.void
      isHeard = false
      return Effect.logWarning("What other instances change is not heard, and taken over with a delay", cause)
    }),
    Effect.retry(reconnect),
    Effect.forkScoped
  )
})
