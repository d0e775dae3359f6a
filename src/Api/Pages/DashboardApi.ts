import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RouteNotFound } from "../Errors/RequestErrors.ts"
import { Listener } from "../Listener.ts"

export class DashboardApi extends HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("home", "/", { error: RouteNotFound.schema }),
    HttpApiEndpoint.get("file", "/dashboard/*", { error: RouteNotFound.schema })
  )
  .annotate(Listener, "admin")
  .annotate(OpenApi.Exclude, true)
{}
