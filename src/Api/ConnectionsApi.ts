import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ClientId, ConnectionId } from "../Domain/Ids.ts"
import { ApiKeyRequired } from "./Authentication.ts"
import { ErrorBody } from "./ErrorBody.ts"
import { InvalidInput } from "./Errors.ts"
import { AuthType, Lookup, Timestamp } from "./Fields.ts"

export const ConnectionStatus = Schema.Literals(["active", "expired", "revoked"])
export type ConnectionStatus = typeof ConnectionStatus.Type

/** A linked provider account. Its credentials are never part of it. */
export const Connection = Schema.Struct({
  id: ConnectionId,
  provider: Schema.String,
  auth_type: AuthType,
  label: Schema.String,
  client_id: Schema.NullOr(ClientId),
  external_account: Schema.NullOr(Schema.String).annotate({ description: "Identity of the linked provider account." }),
  scopes: Schema.Array(Schema.String),
  status: ConnectionStatus,
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

/** An unknown status is an error; an unknown provider or client is an empty list. */
export const ConnectionFilter = {
  provider: Lookup.pipe(Schema.optionalKey),
  client_id: Lookup.pipe(Schema.optionalKey),
  status: ConnectionStatus.pipe(Schema.optionalKey)
}
export interface ConnectionFilter {
  readonly provider?: string
  readonly client_id?: string
  readonly status?: ConnectionStatus
}

export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: ConnectionFilter,
      success: Schema.Struct({ connections: Schema.Array(Connection) }),
      error: InvalidInput.schema
    }).annotate(OpenApi.Summary, "List the connections that the key can see, newest first")
  )
  .middleware(ApiKeyRequired)
  .middleware(ErrorBody)
  .prefix("/v1/connections")
  .annotateMerge(OpenApi.annotations({ title: "Connections" }))
{}
