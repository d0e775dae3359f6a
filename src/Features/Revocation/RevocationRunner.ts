import { Clock, Effect, FiberSet, Layer } from "effect"
import { Audit, ifMade } from "../../Audit/Audit.ts"
import { Cache } from "../../Calls/Cache/Cache.ts"
import { connectionRevoked } from "../../Connections/ConnectionChanges.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { CurrentActor } from "../../Domain/Request/Actor.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { type ClaimedLine, RevocationQueue } from "./RevocationQueue.ts"
import { makeRevokeAtProvider } from "./RevokeAtProvider.ts"

/** Finds connections of an instance that has died. */
const pollMillis = 5000

/** The pause while another instance claims the connections that are due. */
const minPauseMillis = 100

const concurrency = 16

/** Announces revoked connections and revokes them at their providers, each in one instance. */
export const RevocationRunner = Layer.effectDiscard(Effect.gen(function*() {
  const audit = yield* Audit
  const cache = yield* Cache
  const connections = yield* ConnectionRepo
  const queue = yield* RevocationQueue
  const revokeAtProvider = yield* makeRevokeAtProvider
  const running = yield* FiberSet.make()

  /** A connection that was reconnected meanwhile was still revoked before. */
  const announce = Effect.fnUntraced(function*(line: ClaimedLine) {
    yield* cache.drop(line.connectionId)
    yield* audit.change(
      Effect.andThen(queue.setAnnounced(line), connections.find(line.connectionId)),
      ifMade((connection) => connectionRevoked({ ...connection, status: "revoked" }))
    ).pipe(
      Effect.provideService(CurrentActor, line.actor),
      Effect.provideService(CurrentAddress, line.address)
    )
  })

  const work = Effect.fnUntraced(
    function*(line: ClaimedLine) {
      if (!line.announced) yield* announce(line)
      yield* queue.save(line, yield* revokeAtProvider(line))
    },
    (effect, { connectionId }) =>
      Effect.catchCause(
        effect,
        (cause) => Effect.logWarning(`The revocation of ${connectionId} failed; it resumes in half a minute`, cause)
      )
  )

  const claimDue = Effect.gen(function*() {
    const free = concurrency - (yield* FiberSet.size(running))
    const claimed = free > 0 ? yield* queue.claim(free) : []
    for (const line of claimed) {
      // At its end, there is room for the next connection.
      yield* FiberSet.run(running, Effect.ensuring(work(line), queue.wake))
    }
    if (claimed.length > 0 || free === 0) return pollMillis
    const next = yield* queue.next
    return next === undefined
      ? pollMillis
      : Math.max(minPauseMillis, Math.min(next - (yield* Clock.currentTimeMillis), pollMillis))
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("Connections to revoke could not be found", cause), pollMillis)
    )
  )

  yield* claimDue.pipe(
    Effect.flatMap((millis) => Effect.raceFirst(queue.woken, Effect.sleep(millis))),
    Effect.forever,
    Effect.forkScoped
  )
})).pipe(Layer.provide(RevocationQueue.layer))
