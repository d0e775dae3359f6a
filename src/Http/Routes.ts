import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../Api/CoreApi.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import {
  CallerRequiredLayer,
  ManagersLayer,
  MetricsTokenRequiredLayer,
  SameOriginOnlyLayer,
  SessionRequiredLayer
} from "./Authentication.ts"
import { CallHandlers } from "./Handlers/CallHandlers.ts"
import { ConnectionsHandlers } from "./Handlers/ConnectionsHandlers.ts"
import { HealthHandlers } from "./Handlers/HealthHandlers.ts"
import { AdminLogsHandlers, LogsHandlers } from "./Handlers/LogsHandlers.ts"
import { AuditHandlers } from "./Handlers/Management/AuditHandlers.ts"
import { ClientsHandlers } from "./Handlers/Management/ClientsHandlers.ts"
import { ConnectHandlers } from "./Handlers/Management/ConnectHandlers.ts"
import { KeysHandlers } from "./Handlers/Management/KeysHandlers.ts"
import { ManagedConnectionsHandlers } from "./Handlers/Management/ManagedConnectionsHandlers.ts"
import { MembersHandlers } from "./Handlers/Management/MembersHandlers.ts"
import { StatusHandlers } from "./Handlers/Management/StatusHandlers.ts"
import { MetricsHandlers } from "./Handlers/MetricsHandlers.ts"
import { ProvidersHandlers } from "./Handlers/ProvidersHandlers.ts"
import { DashboardPages } from "./Pages/DashboardPages.ts"
import { DocsPage } from "./Pages/DocsPage.ts"
import { PageFiles } from "./Pages/PageFiles.ts"
import { SignInErrorPagesLayer } from "./Pages/SignInPages.ts"
import { VisitorShareLayer } from "./Server/AnswerShare.ts"
import { ErrorResponsesLayer } from "./Server/ErrorResponses.ts"
import { AnonymousJsonBodyLayer, JsonRequestBodyLayer } from "./Server/JsonBodies.ts"

const Handlers = Layer.mergeAll(
  CallHandlers,
  ProvidersHandlers,
  ConnectionsHandlers,
  LogsHandlers,
  AdminLogsHandlers,
  ClientsHandlers,
  MembersHandlers,
  KeysHandlers,
  ManagedConnectionsHandlers,
  ConnectHandlers,
  AuditHandlers,
  StatusHandlers,
  HealthHandlers,
  MetricsHandlers,
  DocsPage,
  DashboardPages,
  PageFiles
)

/** The middleware of all routes, of the core and of features. */
export const Middleware = Layer.mergeAll(
  CallerRequiredLayer,
  SessionRequiredLayer,
  SameOriginOnlyLayer,
  ManagersLayer,
  MetricsTokenRequiredLayer,
  ErrorResponsesLayer,
  SignInErrorPagesLayer,
  JsonRequestBodyLayer,
  AnonymousJsonBodyLayer,
  VisitorShareLayer
).pipe(Layer.provide(Capacity.layer))

export const Routes = HttpApiBuilder.layer(CoreApi).pipe(Layer.provide(Handlers))
