import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Stats, StatsQuery } from "../../Domain/Calls/Stats.ts"
import { CallerRequired, ManagerRequired } from "../Authentication.ts"
import { InvalidInput, Unavailable } from "../Errors.ts"
import { Listener } from "../Listener.ts"
import { ErrorResponses } from "../Middleware.ts"
import { operation } from "../Responses.ts"

export class StatsApi extends HttpApiGroup.make("stats")
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
  .middleware(ErrorResponses)
  .prefix("/v1/stats")
  .annotate(Listener, "both")
  .annotateMerge(OpenApi.annotations({ title: "Statistics" }))
{}

export class AdminStatsApi extends HttpApiGroup.make("adminStats")
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
  .middleware(ErrorResponses)
  .prefix("/admin/v1/stats")
  .annotate(Listener, "admin")
  .annotateMerge(OpenApi.annotations({ title: "Management: statistics" }))
{}
