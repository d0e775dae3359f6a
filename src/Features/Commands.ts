import { grant } from "./AgentAccess/Commands.ts"
import { approvals } from "./Approvals/Commands.ts"
import { backup, move, restore } from "./Backup/Commands.ts"
import { connectLink } from "./ConnectLinks/Commands.ts"
import { dataset } from "./Datasets/Commands.ts"
import { google } from "./GoogleSetup/Commands.ts"
import { mcp } from "./Mcp/Commands.ts"
import { quotas } from "./Quotas/Commands.ts"
import { results } from "./Results/Commands.ts"
import { revoke } from "./Revocation/Commands.ts"
import { keys } from "./Rotation/Commands.ts"
import { link } from "./SignIn/Commands.ts"
import { stats } from "./Stats/Commands.ts"
import { undo } from "./Undo/Commands.ts"
import { webhook } from "./Webhooks/Commands.ts"

/** What the features add to `oa`, by the credentials that a command needs, and to `oa member`. */
export const featureCommands = {
  admin: [connectLink, grant, webhook, keys, revoke, dataset, google],
  key: [undo, approvals, results, stats, quotas],
  settings: [backup, restore, move],
  none: [mcp],
  member: [link]
} as const
