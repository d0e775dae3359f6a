import { bucketSecrets } from "./Datasets/Settings.ts"

/** The settings of features that are secrets. */
export const featureSecrets: ReadonlyArray<string> = [...bucketSecrets]
