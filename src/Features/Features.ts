import { approvals } from "./Approvals/Feature.ts"
import { backup } from "./Backup/Feature.ts"
import { clickHouse } from "./ClickHouse/Feature.ts"
import { datasets } from "./Datasets/Feature.ts"
import type { Feature } from "./Feature.ts"
import { idempotency } from "./Idempotency/Feature.ts"
import { preview } from "./Preview/Feature.ts"
import { quotas } from "./Quotas/Feature.ts"
import { results } from "./Results/Feature.ts"
import { revocation } from "./Revocation/Feature.ts"
import { rotation } from "./Rotation/Feature.ts"
import { undo } from "./Undo/Feature.ts"
import { webhooks } from "./Webhooks/Feature.ts"

/** Every feature of the service. Their order is the order of the checks of a call: the first is the outermost. */
export const features: ReadonlyArray<Feature> = [
  undo,
  idempotency,
  preview,
  approvals,
  quotas,
  results,
  revocation,
  webhooks,
  rotation,
  backup,
  datasets,
  clickHouse
]

/** The order around each request to a provider, which differs: what is written last is sent. */
export const sendOrder: ReadonlyArray<string> = ["approvals", "undo", "quotas", "idempotency"]
