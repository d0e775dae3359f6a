import { dataset } from "./Datasets/Commands.ts"
import { revoke } from "./Revocation/Commands.ts"

/** What the features add to `oa`, by the credentials that a command needs. */
export const featureCommands = { admin: [revoke, dataset] } as const
