import { Clock, Effect } from "effect"
import type { StoredConnection } from "../../Domain/Connection.ts"
import type { HealthCode } from "../../Domain/Health.ts"
import type { MemoryConnections } from "../MemoryConnections.ts"
import { type HealthRecords, oneDay } from "./HealthRecords.ts"

export const makeMemoryHealth = (stored: MemoryConnections["Service"]): HealthRecords => {
  const own = () => stored.list({ status: "active" }).filter(({ parent_id }) => parent_id === null)

  const usedAt = ({ created_at, id }: StoredConnection): number =>
    Math.max(
      created_at.getTime(),
      ...stored.list({})
        .filter((one) => one.id === id || one.parent_id === id)
        .map(({ last_used_at }) => last_used_at?.getTime() ?? 0)
    )

  const triedAt = ({ created_at, id }: StoredConnection): number =>
    (stored.get(id)?.facts.tried_at ?? created_at).getTime()

  return {
    claimUnused: (limit) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        own()
          .filter((one) => triedAt(one) <= now - oneDay && usedAt(one) <= now - oneDay)
          .toSorted((one, other) => triedAt(one) - triedAt(other))
          .slice(0, limit)
          .map(({ id }) => {
            const entry = stored.get(id)
            if (entry !== undefined) stored.set({ ...entry, facts: { ...entry.facts, tried_at: new Date(now) } })
            return id
          })),
    countActive: Effect.sync(() => own().length),
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
