import { clickHouseSecrets } from "./ClickHouse/Settings.ts"
import { bucketSecrets } from "./Datasets/Settings.ts"
import { oidcSecrets } from "./SignIn/Settings.ts"

/** The settings of features that are secrets. */
export const featureSecrets: ReadonlyArray<string> = [...clickHouseSecrets, ...oidcSecrets, ...bucketSecrets]
