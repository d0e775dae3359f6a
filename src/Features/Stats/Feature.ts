import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { AdminStatsGroup, StatsApi, StatsGroup } from "./Contract.ts"
import { AdminStatsHandlers, StatsHandlers } from "./Handlers.ts"

/** Figures of calls by hour or day, which the `CallLog` counts. */
export const stats: Feature = {
  name: "stats",
  layer: HttpApiBuilder.layer(StatsApi).pipe(Layer.provide([StatsHandlers, AdminStatsHandlers])),
  owns: { groups: [StatsGroup, AdminStatsGroup] }
}
