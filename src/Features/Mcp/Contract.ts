import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"

export class McpGroup extends HttpApiGroup.make("mcp")
  .add(HttpApiEndpoint.post("message", "/mcp"))
  .annotate(OpenApi.Exclude, true)
{}

/** Lacks the errors of the API, because MCP has its own. */
export class McpApi extends HttpApi.make("openaccounts").add(McpGroup) {}
