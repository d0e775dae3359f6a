import { Clock, Effect } from "effect"
import type { HealthCode } from "../../Domain/Health.ts"
import { maxOf } from "../../Domain/Lists.ts"
import { type HealthRecords, oneDay } from "./HealthRecords.ts"
import type { MemoryConnection, MemoryConnections } from "./MemoryConnections.ts"

export const makeMemoryHealth = (stored: MemoryConnections["Service"]): HealthRecords => {
  const active = () =>
    stored.entries().filter(({ connection: { parent_id, status } }) => status === "active" && parent_id === null)

  const usedAt = ({ connection: { created_at, id } }: MemoryConnection): number =>
    maxOf(
      stored.entries()
        .filter(({ connection }) => connection.id === id || connection.parent_id === id)
        .map(({ connection }) => connection.last_used_at?.getTime() ?? 0),
      created_at.getTime()
    )

  return {
    watch: (findRisks) => Effect.sync(() => stored.watch(findRisks)),
    claimUnused: (limit) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        active()
          .filter((entry) => triedAt(entry) <= now - oneDay && usedAt(entry) <= now - oneDay)
          .toSorted((one, other) => triedAt(one) - triedAt(other))
          .slice(0, limit)
          .map((entry) => {
            stored.set({ ...entry, facts: { ...entry.facts, tried_at: new Date(now) } })
            return entry.connection.id
          })),
    countActive: Effect.sync(() => active().length),
    setListed: (id, listed) =>
      Effect.sync(() => {
        for (const connection of stored.list({}).filter((one) => one.id === id || one.parent_id === id)) {
          const entry = stored.get(connection.id)
          const lost_resources = (connection.resources ?? []).filter((resource) =>
            !resource.endsWith(":created") && !listed.includes(resource)
          )
          if (entry !== undefined) stored.set({ ...entry, facts: { ...entry.facts, lost_resources } })
        }
      }),
    toAnnounce: Effect.sync(() =>
      stored.list({}).flatMap((connection) => {
        const announced = stored.get(connection.id)?.announced ?? []
        return announced.length + connection.health.reasons.length === 0 ? [] : [{ connection, announced }]
      })
    ),
    announce: (id, before, after: ReadonlyArray<HealthCode>) =>
      Effect.sync(() => {
        const entry = stored.get(id)
        if (entry === undefined || entry.announced.join() !== before.join()) return false
        stored.set({ ...entry, announced: after })
        return true
      })
  }
}

const triedAt = ({ connection, facts }: MemoryConnection): number => (facts.tried_at ?? connection.created_at).getTime()
