import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { CurrentPrincipal } from "../../Api/Authentication.ts"
import { CallStats } from "../../Calls/Log/CallStats.ts"
import { operator } from "../../Domain/Principal.ts"

export const StatsHandlers = HttpApiBuilder.group(
  Api,
  "stats",
  Effect.fn(function*(handlers) {
    const stats = yield* CallStats

    return handlers.handle(
      "read",
      ({ query }) => Effect.flatMap(CurrentPrincipal, (viewer) => stats.read(viewer, query))
    )
  })
)

export const AdminStatsHandlers = HttpApiBuilder.group(
  Api,
  "adminStats",
  Effect.fn(function*(handlers) {
    const stats = yield* CallStats

    return handlers.handle("read", ({ query }) => stats.read(operator, query))
  })
)
