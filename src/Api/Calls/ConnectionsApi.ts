import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Connection, ConnectionFilter } from "../../Domain/Connection.ts"
import { CallerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { group } from "../Group.ts"
import { operation } from "../Responses.ts"

export class ConnectionsApi extends group("connections", { title: "Connections", listener: "both" })
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: ConnectionFilter,
      success: Schema.Struct({ connections: Schema.Array(Connection) }),
      error: InvalidInput.schema
    }).annotateMerge(operation("listConnections", "List the connections that the key can see, newest first"))
  )
  .middleware(CallerRequired)
  .prefix("/v1/connections")
{}
