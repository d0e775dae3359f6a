import { Effect } from "effect"
import type { CallFilter } from "../../Domain/Calls/Call.ts"
import type { StatsQuery } from "../../Domain/Calls/Stats.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import type { Service } from "./Service.ts"

// An admin sees all calls, also those that were refused without a member.

export const listCalls = ({ adminLogs, logs }: Service, isAdmin: boolean, query: CallFilter & PageRequest) =>
  Effect.gen(function*() {
    return yield* (isAdmin ? adminLogs : logs).list({ query })
  })

export const getCall = ({ adminLogs, logs }: Service, isAdmin: boolean, id: string) =>
  Effect.gen(function*() {
    return yield* (isAdmin ? adminLogs : logs).get({ params: { call_id: id } })
  })

export const readStats = ({ adminStats, stats }: Service, isAdmin: boolean, query: StatsQuery) =>
  Effect.gen(function*() {
    return yield* (isAdmin ? adminStats : stats).read({ query })
  })
