import { coreGroups } from "../Api/CoreApi.ts"
import { served } from "../Api/Group.ts"
import { agentAccessGroups } from "./AgentAccess/Contract.ts"
import { alertsGroups } from "./Alerts/Contract.ts"
import { ApprovalsGroup } from "./Approvals/Contract.ts"
import { SnapshotsGroup } from "./Backup/Contract.ts"
import { BulkCallsGroup } from "./BulkCalls/Contract.ts"
import { ConnectLinksGroup } from "./ConnectLinks/Contract.ts"
import { ConnectPagesGroup } from "./ConnectLinks/Visits/ConnectPagesGroup.ts"
import { DatasetsGroup } from "./Datasets/Contract.ts"
import { GoogleSetupGroup } from "./GoogleSetup/Contract.ts"
import { McpGroup } from "./Mcp/Contract.ts"
import { QuotasGroup } from "./Quotas/Contract.ts"
import { ResultsGroup } from "./Results/Contract.ts"
import { RevocationsGroup } from "./Revocation/Contract.ts"
import { EncryptionGroup } from "./Rotation/Contract.ts"
import { signInGroups } from "./SignIn/Contract.ts"
import { AdminStatsGroup, StatsGroup } from "./Stats/Contract.ts"
import { UndoGroup } from "./Undo/Contract.ts"
import { WebhooksGroup } from "./Webhooks/Contract.ts"

/** The routes of the core and of every feature, for clients. */
export const groups = [
  ...coreGroups,
  ApprovalsGroup,
  UndoGroup,
  ConnectLinksGroup,
  ConnectPagesGroup,
  QuotasGroup,
  ResultsGroup,
  BulkCallsGroup,
  ...signInGroups,
  ...agentAccessGroups,
  McpGroup,
  StatsGroup,
  AdminStatsGroup,
  RevocationsGroup,
  EncryptionGroup,
  SnapshotsGroup,
  WebhooksGroup,
  ...alertsGroups,
  DatasetsGroup,
  GoogleSetupGroup
] as const

export class Api extends served(groups) {}
