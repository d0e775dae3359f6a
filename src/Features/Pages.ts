import { datasetPages } from "./Datasets/Page/Pages.ts"
import { revocationPages } from "./Revocation/Page/Pages.ts"

/** What the features add to the dashboard. */
export const featurePages = [revocationPages, datasetPages]
