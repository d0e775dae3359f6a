import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ErrorResponses } from "../Middleware.ts"

export class DocsApi extends HttpApiGroup.make("docs")
  .add(HttpApiEndpoint.get("page", "/docs"), HttpApiEndpoint.get("document", "/openapi.json"))
  .middleware(ErrorResponses)
  .annotate(OpenApi.Exclude, true)
{}
