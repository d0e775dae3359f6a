import { agentAccessPages } from "./AgentAccess/Page/Pages.ts"
import { alertPages } from "./Alerts/Page/Pages.ts"
import { approvalPages } from "./Approvals/Page/Pages.ts"
import { bulkCallPages } from "./BulkCalls/Page/Pages.ts"
import { connectLinkPages } from "./ConnectLinks/Page/Pages.ts"
import { datasetPages } from "./Datasets/Page/Pages.ts"
import { googleSetupPages } from "./GoogleSetup/Page/Pages.ts"
import { mcpPages } from "./Mcp/Page/Pages.ts"
import { quotaPages } from "./Quotas/Page/Pages.ts"
import { resultPages } from "./Results/Page/Pages.ts"
import { revocationPages } from "./Revocation/Page/Pages.ts"
import { rotationPages } from "./Rotation/Page/Pages.ts"
import { statsPages } from "./Stats/Page/Pages.ts"
import { undoPages } from "./Undo/Page/Pages.ts"
import { webhookPages } from "./Webhooks/Page/Pages.ts"

/** What the features add to the dashboard. */
export const featurePages = [
  approvalPages,
  undoPages,
  connectLinkPages,
  resultPages,
  bulkCallPages,
  statsPages,
  agentAccessPages,
  quotaPages,
  mcpPages,
  googleSetupPages,
  rotationPages,
  revocationPages,
  webhookPages,
  alertPages,
  datasetPages
]
