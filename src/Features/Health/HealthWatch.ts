import { Context, Effect, Layer, Option, Schedule } from "effect"
import { Audit, type AuditedChange } from "../../Audit/Audit.ts"
import { ConnectionHealth } from "../../Connections/ConnectionHealth.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import { ConnectionTests } from "../../Connections/ConnectionTests.ts"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { HealthCode } from "../../Domain/Health.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { CurrentActor, systemActor } from "../../Domain/Request/Actor.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { findRisks } from "./Risks.ts"

const intervalMinutes = 5

/** Tries of connections that become due together are spread over half a day. */
const spreadOver = 12 * 60 / intervalMinutes

const concurrentTries = 4

/** Tries connections that no call uses, and tells webhooks of connections that are at risk or have recovered. */
export class HealthWatch extends Context.Service<HealthWatch, {
  /** Never fails. Several instances may run it at the same time. */
  readonly tick: Effect.Effect<void>
}>()("openaccounts/Features/Health/HealthWatch") {
  static readonly layerNoDeps = Layer.effect(
    HealthWatch,
    Effect.gen(function*() {
      const audit = yield* Audit
      const catalog = yield* Catalog
      const connections = yield* ConnectionRepo
      const health = yield* ConnectionHealth
      const tests = yield* ConnectionTests
      yield* health.watch(findRisks)

      const tryOne = Effect.fnUntraced(function*(id: ConnectionId) {
        const connection = Option.getOrUndefined(yield* connections.find(id))
        if (connection?.status !== "active") return
        const provider = yield* catalog.provider(connection.provider)
        // The result is stored as `last_error`. Without quota, the next try is tomorrow.
        yield* Effect.ignore(tests.stored(connection, provider))
      }, (effect, id) => Effect.catchCause(effect, (cause) => Effect.logWarning(`Could not try ${id}`, cause)))

      const announce = ({ announced, connection }: {
        readonly connection: StoredConnection
        readonly announced: ReadonlyArray<HealthCode>
      }) => {
        const codes = connection.health.reasons.map(({ code }) => code)
        return codes.join() === announced.join() ? Effect.void : audit.change(
          health.announce(connection.id, announced, codes),
          (isFirst) => isFirst ? healthChanges(connection, announced) : []
        )
      }

      const tick = Effect.gen(function*() {
        const limit = Math.ceil((yield* health.countActive) / spreadOver)
        const claimed = limit === 0 ? [] : yield* health.claimUnused(limit)
        yield* Effect.forEach(claimed, tryOne, { concurrency: concurrentTries, discard: true })
        yield* Effect.forEach(yield* health.toAnnounce, announce, { discard: true })
      }).pipe(
        Effect.provideService(CurrentActor, systemActor),
        Effect.catchCause((cause) => Effect.logWarning("The health of connections could not be watched", cause)),
        Effect.withSpan("HealthWatch.tick")
      )

      return HealthWatch.of({ tick })
    })
  )

  /** Watches every five minutes. */
  static readonly layer = Layer.effectDiscard(
    Effect.flatMap(
      HealthWatch,
      ({ tick }) => Effect.forkScoped(Effect.schedule(tick, Schedule.spaced(`${intervalMinutes} minutes`)))
    )
  ).pipe(Layer.provide(this.layerNoDeps), Layer.provide(ConnectionTests.layer))
}

const healthChanges = (
  connection: StoredConnection,
  announced: ReadonlyArray<HealthCode>
): ReadonlyArray<AuditedChange> => {
  const { health: { reasons }, id, status } = connection
  if (reasons.length === 0) {
    if (status === "revoked") return []
    return [{
      action: "connection.recovered",
      subject: id,
      event: { type: "connection.recovered", data: { connection } }
    }]
  }
  // The event `connection.expired` has reported it.
  if (status === "expired") return []
  return reasons.filter(({ code }) => !announced.includes(code)).map((reason) => ({
    action: "connection.at_risk",
    subject: id,
    details: { code: reason.code, expected_at: reason.expected_at?.toISOString() ?? null },
    event: { type: "connection.at_risk", data: { connection, reason } }
  }))
}
