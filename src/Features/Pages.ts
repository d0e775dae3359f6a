import { datasetPages } from "./Datasets/Page/Pages.ts"

/** What the features add to the dashboard. */
export const featurePages = [datasetPages]
