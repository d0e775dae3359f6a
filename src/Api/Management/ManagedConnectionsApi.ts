import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import {
  AccountResource,
  ConnectionChange,
  ConnectionFilter,
  CreateConnection,
  ManagedConnection,
  NewCredentials
} from "../../Domain/Connection.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ManagerOrKeyRequired } from "../Authentication.ts"
import { ConnectionInactive, ConnectionNotFound, InvalidInput, ProviderNotFound, RateLimited } from "../Errors.ts"
import { providerErrors } from "../Errors/ProviderErrors.ts"
import { group } from "../Group.ts"
import { ClientNotFound, ConnectionDerived } from "../ManagementErrors.ts"
import { AnswerBytes, JsonRequestBody } from "../Middleware.ts"
import { Created, operation } from "../Responses.ts"
import { Area, IsTest, Right } from "../Right.ts"

const testErrors = [...providerErrors, RateLimited.schema] as const

export class ManagedConnectionsApi
  extends group("managedConnections", { title: "Management: connections", listener: "admin" })
    .add(
      HttpApiEndpoint.post("create", "/", {
        payload: CreateConnection,
        success: ManagedConnection.pipe(Created),
        error: [ProviderNotFound.schema, ClientNotFound.schema, ConnectionNotFound.schema, ...testErrors]
      }).middleware(JsonRequestBody).annotate(Right, "member").annotateMerge(
        operation("createConnection", "Store a connection", {
          provider: "sitesearch",
          auth_type: "api_key",
          label: "Fernhill",
          credentials: { api_key: "f3a9c1d27b604e58912d6c0ab7e4d135" }
        })
      ),
      HttpApiEndpoint.get("list", "/", {
        query: { ...pagesOfEntries(ManagedConnection), ...ConnectionFilter },
        success: Schema.Struct({ connections: Schema.Array(ManagedConnection), cursor: Cursor }),
        error: InvalidInput.schema
      }).annotate(Right, "member").annotateMerge(operation("listAllConnections", "List all connections, newest first")),
      HttpApiEndpoint.patch("change", "/:id", {
        params: { id: Lookup },
        payload: ConnectionChange,
        success: ManagedConnection,
        error: [ConnectionNotFound.schema, ClientNotFound.schema]
      }).middleware(JsonRequestBody).annotateMerge(
        operation("changeConnection", "Rename a connection, or give it to another client", { label: "Fernhill" })
      ),
      HttpApiEndpoint.put("reconnect", "/:id/credentials", {
        params: { id: Lookup },
        payload: NewCredentials,
        success: ManagedConnection,
        error: [ConnectionNotFound.schema, ConnectionDerived.schema, ClientNotFound.schema, ...testErrors]
      }).middleware(JsonRequestBody).annotate(Right, "member").annotateMerge(
        operation("reconnectConnection", "Reconnect with new credentials under the same id", {
          credentials: { api_key: "f3a9c1d27b604e58912d6c0ab7e4d135" }
        })
      ),
      HttpApiEndpoint.delete("revoke", "/:id", {
        params: { id: Lookup },
        success: ManagedConnection,
        error: ConnectionNotFound.schema
      }).annotateMerge(operation("revokeConnection", "Revoke a connection, and its token at the provider if possible")),
      HttpApiEndpoint.get("resources", "/:id/resources", {
        params: { id: Lookup },
        success: Schema.Struct({ resources: Schema.Array(AccountResource) }),
        error: [ConnectionNotFound.schema, ConnectionInactive.schema, ...testErrors]
      })
        .annotate(IsTest, true)
        .annotate(AnswerBytes, 0)
        .annotateMerge(
          operation("listConnectionResources", "List what the account of a connection reaches, at most 60 s old")
        ),
      HttpApiEndpoint.post("test", "/:id/test", {
        params: { id: Lookup },
        success: Schema.Struct({ ok: Schema.Literal(true), latency_ms: Schema.Finite }),
        error: [ConnectionNotFound.schema, ConnectionInactive.schema, ...testErrors]
      })
        .annotate(Right, "member")
        .annotate(IsTest, true)
        .annotateMerge(operation("testConnection", "Test a connection with the provider's cheapest read"))
    )
    .annotateEndpoints(Area, "connections")
    .middleware(ManagerOrKeyRequired)
    .prefix("/admin/v1/connections")
{}
