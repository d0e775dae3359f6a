import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RouteNotFound } from "../Errors/RequestErrors.ts"

export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.get("page", "/docs", { error: RouteNotFound.schema }),
    HttpApiEndpoint.get("file", "/docs/assets/*", { error: RouteNotFound.schema }),
    HttpApiEndpoint.get("document", "/openapi.json")
  )
  .annotate(OpenApi.Exclude, true)
{}
