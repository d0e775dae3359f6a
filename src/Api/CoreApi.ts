import { CallApi } from "./Calls/CallApi.ts"
import { ConnectionsApi } from "./Calls/ConnectionsApi.ts"
import { LogsApi } from "./Calls/LogsApi.ts"
import { ProvidersApi } from "./Calls/ProvidersApi.ts"
import { served } from "./Group.ts"
import { HealthApi } from "./HealthApi.ts"
import { AdminLogsApi } from "./Management/AdminLogsApi.ts"
import { AuditApi } from "./Management/AuditApi.ts"
import { ClientsApi } from "./Management/ClientsApi.ts"
import { ConnectApi } from "./Management/ConnectApi.ts"
import { KeysApi } from "./Management/KeysApi.ts"
import { ManagedConnectionsApi } from "./Management/ManagedConnectionsApi.ts"
import { MembersApi } from "./Management/MembersApi.ts"
import { StatusApi } from "./Management/StatusApi.ts"
import { MetricsApi } from "./MetricsApi.ts"
import { DashboardApi } from "./Pages/DashboardApi.ts"
import { DocsApi } from "./Pages/DocsApi.ts"
import { PageFilesApi } from "./Pages/PageFilesApi.ts"

/** The routes of the service without features. */
export const coreGroups = [
  CallApi,
  ProvidersApi,
  ConnectionsApi,
  LogsApi,
  AdminLogsApi,
  ClientsApi,
  MembersApi,
  KeysApi,
  ManagedConnectionsApi,
  ConnectApi,
  AuditApi,
  StatusApi,
  HealthApi,
  MetricsApi,
  PageFilesApi,
  DashboardApi,
  DocsApi
] as const

export class CoreApi extends served(coreGroups) {}
