import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Connection, ConnectionFilter, CreateConnection, NewCredentials } from "../Domain/Connection.ts"
import { Lookup } from "../Domain/Fields.ts"
import { Cursor, PageRequest } from "../Domain/Page.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { upstreamStatuses } from "./Document.ts"
import { ErrorBody, JsonBody } from "./ErrorBody.ts"
import {
  ClientNotFound,
  ConnectionInactive,
  ConnectionNotFound,
  CredentialsExpired,
  CredentialsRejected,
  InvalidInput,
  ProviderNotFound,
  UpstreamError,
  UpstreamUnreachable
} from "./Errors.ts"
import { Created } from "./Fields.ts"

export class ManagedConnectionsApi extends HttpApiGroup.make("managedConnections")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateConnection,
      success: Connection.pipe(Created),
      error: [ProviderNotFound.schema, ClientNotFound.schema]
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Store a connection"),
    HttpApiEndpoint.get("list", "/", {
      query: { ...PageRequest, ...ConnectionFilter },
      success: Schema.Struct({ connections: Schema.Array(Connection), cursor: Cursor }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List all connections, newest first"),
    HttpApiEndpoint.put("reconnect", "/:id/credentials", {
      params: { id: Lookup },
      payload: NewCredentials,
      success: Connection,
      error: ConnectionNotFound.schema
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Reconnect with new credentials; the id stays"),
    HttpApiEndpoint.delete("revoke", "/:id", {
      params: { id: Lookup },
      success: Connection,
      error: ConnectionNotFound.schema
    }).annotate(OpenApi.Summary, "Revoke a connection, at the provider too where it can be"),
    HttpApiEndpoint.post("test", "/:id/test", {
      params: { id: Lookup },
      success: Schema.Struct({ ok: Schema.Literal(true), latency_ms: Schema.Finite }),
      error: [
        ConnectionNotFound.schema,
        ConnectionInactive.schema,
        CredentialsExpired.schema,
        CredentialsRejected.schema,
        UpstreamError.schema,
        UpstreamUnreachable.schema
      ]
    })
      .annotate(OpenApi.Summary, "Try a connection with the provider's cheapest read")
      .annotateMerge(upstreamStatuses)
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/connections")
  .annotateMerge(OpenApi.annotations({ title: "Management: connections" }))
{}
