import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Stats, StatsQuery } from "../../Domain/Calls/Stats.ts"
import { CallerRequired, ManagerRequired } from "../Authentication.ts"
import { InvalidInput, Unavailable } from "../Errors.ts"
import { group } from "../Group.ts"
import { operation } from "../Responses.ts"

export class StatsApi extends group("stats", { title: "Statistics", listener: "both" })
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

export class AdminStatsApi extends group("adminStats", { title: "Management: statistics", listener: "admin" })
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
