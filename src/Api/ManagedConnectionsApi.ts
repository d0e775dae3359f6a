import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminTokenRequired } from "./Authentication.ts"
import { Connection, ConnectionFilter } from "./ConnectionsApi.ts"
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
import { AuthType, Created, Cursor, Lookup, Name, Page, Scope } from "./Fields.ts"

const Credentials = Schema.Record(Schema.String, Schema.Json).annotate({
  description:
    "By `auth_type`: `oauth` `{ refresh_token, access_token?, expires_at? }`, `service_account` the Google " +
    "key file as it is (plus `subject?`), `api_key` `{ api_key }`. Never returned."
})

export const NewConnection = Schema.Struct({
  provider: Schema.String,
  auth_type: AuthType,
  credentials: Credentials,
  client_id: Schema.NullOr(Lookup).pipe(Schema.optionalKey),
  label: Name,
  external_account: Schema.NullOr(Name).pipe(Schema.optionalKey),
  scopes: Schema.Array(Scope).pipe(Schema.optionalKey)
})
export type NewConnection = typeof NewConnection.Type

export const NewCredentials = Schema.Struct({
  credentials: Credentials,
  auth_type: AuthType.pipe(Schema.optionalKey)
})
export type NewCredentials = typeof NewCredentials.Type

export class ManagedConnectionsApi extends HttpApiGroup.make("managedConnections")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewConnection,
      success: Connection.pipe(Created),
      error: [ProviderNotFound.schema, ClientNotFound.schema]
    }).middleware(JsonBody).annotate(OpenApi.Summary, "Store a connection"),
    HttpApiEndpoint.get("list", "/", {
      query: { ...Page, ...ConnectionFilter },
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
