import { agentAccess } from "./AgentAccess/Feature.ts"
import { alerts } from "./Alerts/Feature.ts"
import { approvals } from "./Approvals/Feature.ts"
import { backup } from "./Backup/Feature.ts"
import { bulkCalls } from "./BulkCalls/Feature.ts"
import { clickHouse } from "./ClickHouse/Feature.ts"
import { connectLinks } from "./ConnectLinks/Feature.ts"
import { datasets } from "./Datasets/Feature.ts"
import type { Feature } from "./Feature.ts"
import { googleSetup } from "./GoogleSetup/Feature.ts"
import { health } from "./Health/Feature.ts"
import { idempotency } from "./Idempotency/Feature.ts"
import { mcp } from "./Mcp/Feature.ts"
import { preview } from "./Preview/Feature.ts"
import { quotas } from "./Quotas/Feature.ts"
import { results } from "./Results/Feature.ts"
import { revocation } from "./Revocation/Feature.ts"
import { rotation } from "./Rotation/Feature.ts"
import { signIn } from "./SignIn/Feature.ts"
import { stats } from "./Stats/Feature.ts"
import { undo } from "./Undo/Feature.ts"
import { webhooks } from "./Webhooks/Feature.ts"

/**
 * Every feature of the service. Their order is that of the checks of a call, before and after its connection is known,
 * and of the steps around its requests: the first is the outermost.
 */
export const features: ReadonlyArray<Feature> = [
  googleSetup,
  preview,
  approvals,
  undo,
  quotas,
  idempotency,
  results,
  bulkCalls,
  connectLinks,
  signIn,
  agentAccess,
  mcp,
  datasets,
  stats,
  health,
  revocation,
  webhooks,
  alerts,
  rotation,
  backup,
  clickHouse
]
