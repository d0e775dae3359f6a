import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"

export class McpApi extends HttpApiGroup.make("mcp")
  .add(HttpApiEndpoint.post("message", "/mcp"))
  .annotate(OpenApi.Exclude, true)
{}
