import { dataset } from "./Datasets/Commands.ts"

/** What the features add to `oa`, by the credentials that a command needs. */
export const featureCommands = { admin: [dataset] } as const
