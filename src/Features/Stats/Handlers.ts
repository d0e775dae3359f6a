import { Clock, Duration, Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { asCaller } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import { onlyCallsOf, operator, type Viewer } from "../../Domain/Access/Principal.ts"
import { maxStatsDays, type StatsQuery, type StatsRequest } from "../../Domain/Calls/Stats.ts"
import { StatsApi } from "./Contract.ts"

const day = Duration.toMillis("1 day")

/** A client that computes the time 90 days ago is answered a little later, and its clock may be behind. */
const clientDelay = Duration.toMillis("1 minute")

const readStats = Effect.map(
  CallLog,
  (callLog) =>
    Effect.fnUntraced(function*(viewer: Viewer, query: StatsQuery, only?: StatsRequest["only"]) {
      const now = yield* Clock.currentTimeMillis
      const { since = new Date(now - 7 * day), until = new Date(now) } = query
      if (query.group !== undefined && query.group_by === undefined) {
        return yield* InvalidInput.at("group", "Expected with `group_by`, whose value it is")
      }
      if (since > until) {
        return yield* invalidSince("Must not be later than `until` (default: the current time)")
      }
      const grace = query.until === undefined ? clientDelay : 0
      if (until.getTime() - since.getTime() > maxStatsDays * day + grace) {
        return yield* invalidSince(`Must be at most ${maxStatsDays} days before \`until\``)
      }
      return yield* callLog.stats(viewer, { bucket: "day", ...query, since, until, only })
    })
)

const invalidSince = (message: string) => InvalidInput.at("since", message)

export const StatsHandlers = HttpApiBuilder.group(
  StatsApi,
  "stats",
  Effect.fn(function*(handlers) {
    const read = yield* readStats

    return handlers.handle(
      "read",
      ({ query }) => asCaller((principal) => read(principal, query, onlyCallsOf(principal)))
    )
  })
)

export const AdminStatsHandlers = HttpApiBuilder.group(
  StatsApi,
  "adminStats",
  Effect.fn(function*(handlers) {
    const read = yield* readStats

    return handlers.handle("read", ({ query }) => read(operator, query))
  })
)
