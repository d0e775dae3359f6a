import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallerRequired, ManagerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import { group, served } from "../../Api/Group.ts"
import { operation } from "../../Api/Responses.ts"
import { Stats, StatsQuery } from "../../Domain/Calls/Stats.ts"

export class StatsGroup extends group("stats", { title: "Statistics", listener: "both" })
  .add(
    HttpApiEndpoint.get("read", "/", {
      query: StatsQuery,
      success: Stats,
      error: [InvalidInput.schema, Unavailable.schema]
    }).annotateMerge(
      operation("readStats", "Count the calls that the key can see, by hour or day")
    )
  )
  .middleware(CallerRequired)
  .prefix("/v1/stats")
{}

export class AdminStatsGroup extends group("adminStats", { title: "Management: statistics", listener: "admin" })
  .add(
    HttpApiEndpoint.get("read", "/", {
      query: StatsQuery,
      success: Stats,
      error: [InvalidInput.schema, Unavailable.schema]
    }).annotateMerge(
      operation("readAdminStats", "Count all calls, by hour or day")
    )
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/stats")
{}

export class StatsApi extends served([StatsGroup, AdminStatsGroup]) {}
