import { Effect } from "effect"
import type { CallFilter } from "../../Domain/Calls/Call.ts"
import type { StatsQuery } from "../../Domain/Calls/Stats.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { useServiceQuery } from "./Queries.ts"
import { featuresOff } from "./ServedPage.ts"
import type { Service } from "./Service.ts"

export const hasStats = !featuresOff.includes("stats")

// An admin sees all calls, also those that were refused without a member.

export const listCalls = ({ adminLogs, logs }: Service, isAdmin: boolean, query: CallFilter & PageRequest) =>
  Effect.gen(function*() {
    return yield* (isAdmin ? adminLogs : logs).list({ query })
  })

export const getCall = ({ adminLogs, logs }: Service, isAdmin: boolean, id: string) =>
  Effect.gen(function*() {
    return yield* (isAdmin ? adminLogs : logs).get({ params: { call_id: id } })
  })

/** Returns no figures where the service has no statistics. */
export const readStats = ({ adminStats, stats }: Service, isAdmin: boolean, query: StatsQuery) =>
  Effect.gen(function*() {
    if (!hasStats) return { buckets: [], truncated: false }
    return yield* (isAdmin ? adminStats : stats).read({ query })
  })

export const useHasCall = (isAdmin: boolean) =>
  useServiceQuery(
    ["newest", "any"],
    (service) => Effect.map(listCalls(service, isAdmin, { limit: 1 }), ({ calls }) => calls.length > 0),
    { live: true }
  )
