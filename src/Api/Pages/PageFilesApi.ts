import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RouteNotFound } from "../Errors/RequestErrors.ts"
import { Listener } from "../Listener.ts"
import { VisitorShare } from "../Middleware.ts"

/** What the pages for people without an account in this service load. */
export class PageFilesApi extends HttpApiGroup.make("pageFiles")
  .add(
    HttpApiEndpoint.get("logo", "/connect/logo", { error: RouteNotFound.schema }),
    HttpApiEndpoint.get("font", "/connect/font", { error: RouteNotFound.schema })
  )
  .annotateEndpoints(Listener, "both")
  .middleware(VisitorShare)
  .annotate(OpenApi.Exclude, true)
{}
