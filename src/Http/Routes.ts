import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RoutedApi } from "../Api/Api.ts"
import {
  CallerRequiredLayer,
  ManagerRequiredLayer,
  MetricsTokenRequiredLayer,
  SameOriginOnlyLayer,
  SessionRequiredLayer
} from "./Authentication.ts"
import { ConnectRoutes } from "./ConnectRoutes.ts"
import { DashboardPages } from "./DashboardPages.ts"
import { DocsPage } from "./DocsPage.ts"
import { ErrorResponsesLayer } from "./ErrorResponses.ts"
import { AuditHandlers } from "./Handlers/AuditHandlers.ts"
import { ClientsHandlers } from "./Handlers/ClientsHandlers.ts"
import { ConnectHandlers } from "./Handlers/ConnectHandlers.ts"
import { ConnectionsHandlers } from "./Handlers/ConnectionsHandlers.ts"
import { ConnectLinksHandlers } from "./Handlers/ConnectLinksHandlers.ts"
import { EncryptionHandlers } from "./Handlers/EncryptionHandlers.ts"
import { GrantsHandlers } from "./Handlers/GrantsHandlers.ts"
import { HealthHandlers } from "./Handlers/HealthHandlers.ts"
import { KeysHandlers } from "./Handlers/KeysHandlers.ts"
import { AdminLogsHandlers, LogsHandlers } from "./Handlers/LogsHandlers.ts"
import { ManagedConnectionsHandlers } from "./Handlers/ManagedConnectionsHandlers.ts"
import { MembersHandlers } from "./Handlers/MembersHandlers.ts"
import { MetricsHandlers } from "./Handlers/MetricsHandlers.ts"
import { OidcHandlers } from "./Handlers/OidcHandlers.ts"
import { PasskeysHandlers, PasskeySignInHandlers } from "./Handlers/PasskeysHandlers.ts"
import { ProvidersHandlers } from "./Handlers/ProvidersHandlers.ts"
import { SessionHandlers } from "./Handlers/SessionHandlers.ts"
import { SignInHandlers } from "./Handlers/SignInHandlers.ts"
import { AdminStatsHandlers, StatsHandlers } from "./Handlers/StatsHandlers.ts"
import { WebhooksHandlers } from "./Handlers/WebhooksHandlers.ts"
import { AnonymousJsonBodyLayer, JsonRequestBodyLayer } from "./JsonBodies.ts"
import { MountedRoutes } from "./MountedRoutes.ts"
import { MemberSignInErrorPagesLayer, SignInErrorPagesLayer } from "./SignInPages.ts"

const Handlers = Layer.mergeAll(
  ProvidersHandlers,
  ConnectionsHandlers,
  LogsHandlers,
  AdminLogsHandlers,
  SignInHandlers,
  SessionHandlers,
  PasskeySignInHandlers,
  PasskeysHandlers,
  OidcHandlers,
  StatsHandlers,
  AdminStatsHandlers,
  ClientsHandlers,
  MembersHandlers,
  KeysHandlers,
  GrantsHandlers,
  WebhooksHandlers,
  ManagedConnectionsHandlers,
  ConnectHandlers,
  ConnectLinksHandlers,
  EncryptionHandlers,
  AuditHandlers,
  HealthHandlers,
  MetricsHandlers
)

const Middleware = Layer.mergeAll(
  CallerRequiredLayer,
  SessionRequiredLayer,
  SameOriginOnlyLayer,
  ManagerRequiredLayer,
  MetricsTokenRequiredLayer,
  ErrorResponsesLayer,
  SignInErrorPagesLayer,
  MemberSignInErrorPagesLayer,
  JsonRequestBodyLayer,
  AnonymousJsonBodyLayer
)

export const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(RoutedApi).pipe(Layer.provide(Handlers), Layer.provide(Middleware)),
  DocsPage,
  DashboardPages,
  ConnectRoutes,
  HttpRouter.use((router) => Effect.flatMap(MountedRoutes, (routes) => router.addAll(routes)))
)
