import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { strict } from "../Domain/Validation.ts"
import { AdminLogsApi } from "./AdminLogsApi.ts"
import { AuditApi } from "./AuditApi.ts"
import { CallApi } from "./CallApi.ts"
import { ClientsApi } from "./ClientsApi.ts"
import { ConnectApi } from "./ConnectApi.ts"
import { ConnectionsApi } from "./ConnectionsApi.ts"
import { ConnectLinksApi } from "./ConnectLinksApi.ts"
import { EncryptionApi } from "./EncryptionApi.ts"
import { HeadersTooLarge, MethodNotAllowed, Unavailable } from "./Errors.ts"
import { GrantsApi } from "./GrantsApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { LogsApi } from "./LogsApi.ts"
import { ManagedConnectionsApi } from "./ManagedConnectionsApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { MetricsApi } from "./MetricsApi.ts"
import { OidcApi } from "./OidcApi.ts"
import { PasskeysApi, PasskeySignInApi } from "./PasskeysApi.ts"
import { ProvidersApi } from "./ProvidersApi.ts"
import { describeDocument } from "./Responses.ts"
import { SessionApi, SignInApi } from "./SignInApi.ts"
import { AdminStatsApi, StatsApi } from "./StatsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

export class RoutedApi extends HttpApi.make("openaccounts")
  .add(ProvidersApi)
  .add(ConnectionsApi)
  .add(LogsApi)
  .add(AdminLogsApi)
  .add(SignInApi)
  .add(SessionApi)
  .add(PasskeySignInApi)
  .add(PasskeysApi)
  .add(OidcApi)
  .add(StatsApi)
  .add(AdminStatsApi)
  .add(ClientsApi)
  .add(MembersApi)
  .add(KeysApi)
  .add(GrantsApi)
  .add(ManagedConnectionsApi)
  .add(ConnectApi)
  .add(ConnectLinksApi)
  .add(WebhooksApi)
  .add(EncryptionApi)
  .add(AuditApi)
  .add(HealthApi)
  .add(MetricsApi)
  .annotate(HttpApi.ParseOptions, strict)
{}

export class Api extends HttpApi.make("openaccounts")
  .add(CallApi)
  .addHttpApi(RoutedApi)
  .annotateMerge(OpenApi.annotations({
    title: "OpenAccounts",
    version: "1",
    description: "One HTTP API for every raw endpoint and smart tool of search console, analytics, site search, " +
      "spreadsheets and documents, through connections stored in the service. An unknown path gets `route_not_found`. " +
      "An unsupported method gets `method_not_allowed`. Headers that are too long get `headers_too_large`. While the " +
      "service starts, stops or is at its connection limit, a request gets `unavailable`."
  }))
  .annotate(HttpApi.ParseOptions, strict)
  .annotate(
    HttpApi.AdditionalSchemas,
    [MethodNotAllowed, HeadersTooLarge, Unavailable].map(({ schema }) => Schema.toEncoded(schema))
  )
  .annotate(OpenApi.Transform, describeDocument)
{}
