import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { strict } from "../Domain/Validation/Validation.ts"
import { AuthorizationApi } from "./Agents/AuthorizationApi.ts"
import { McpApi } from "./Agents/McpApi.ts"
import { ApprovalsApi } from "./Calls/ApprovalsApi.ts"
import { CallApi } from "./Calls/CallApi.ts"
import { ConnectionsApi } from "./Calls/ConnectionsApi.ts"
import { LogsApi } from "./Calls/LogsApi.ts"
import { ProvidersApi } from "./Calls/ProvidersApi.ts"
import { QuotasApi } from "./Calls/QuotasApi.ts"
import { ResultsApi } from "./Calls/ResultsApi.ts"
import { AdminStatsApi, StatsApi } from "./Calls/StatsApi.ts"
import { UndoApi } from "./Calls/UndoApi.ts"
import { HeadersTooLarge, MethodNotAllowed, Unavailable } from "./Errors.ts"
import { HealthApi } from "./HealthApi.ts"
import { AdminLogsApi } from "./Management/AdminLogsApi.ts"
import { AuditApi } from "./Management/AuditApi.ts"
import { ClientsApi } from "./Management/ClientsApi.ts"
import { ConnectApi } from "./Management/ConnectApi.ts"
import { ConnectLinksApi } from "./Management/ConnectLinksApi.ts"
import { DatasetsApi } from "./Management/DatasetsApi.ts"
import { EncryptionApi } from "./Management/EncryptionApi.ts"
import { GrantsApi } from "./Management/GrantsApi.ts"
import { KeysApi } from "./Management/KeysApi.ts"
import { ManagedConnectionsApi } from "./Management/ManagedConnectionsApi.ts"
import { MembersApi } from "./Management/MembersApi.ts"
import { RevocationsApi } from "./Management/RevocationsApi.ts"
import { SnapshotsApi } from "./Management/SnapshotsApi.ts"
import { StatusApi } from "./Management/StatusApi.ts"
import { WebhooksApi } from "./Management/WebhooksApi.ts"
import { MetricsApi } from "./MetricsApi.ts"
import { ErrorResponses } from "./Middleware.ts"
import { ConnectPagesApi } from "./Pages/ConnectPagesApi.ts"
import { DashboardApi } from "./Pages/DashboardApi.ts"
import { DocsApi } from "./Pages/DocsApi.ts"
import { describeDocument } from "./Responses.ts"
import { OidcApi } from "./SignIn/OidcApi.ts"
import { PasskeysApi, PasskeySignInApi } from "./SignIn/PasskeysApi.ts"
import { SessionApi, SignInApi } from "./SignIn/SignInApi.ts"

export class Api extends HttpApi.make("openaccounts")
  .add(CallApi)
  .add(ProvidersApi)
  .add(ConnectionsApi)
  .add(QuotasApi)
  .add(LogsApi)
  .add(ResultsApi)
  .add(UndoApi)
  .add(ApprovalsApi)
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
  .add(DatasetsApi)
  .add(EncryptionApi)
  .add(AuditApi)
  .add(RevocationsApi)
  .add(SnapshotsApi)
  .add(StatusApi)
  .add(HealthApi)
  .add(MetricsApi)
  .add(AuthorizationApi)
  .add(ConnectPagesApi)
  .add(DashboardApi)
  .add(DocsApi)
  .middleware(ErrorResponses)
  // Its errors are those of its protocol.
  .add(McpApi)
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
