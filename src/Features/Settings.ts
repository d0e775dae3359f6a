import { mailSecrets } from "./Alerts/Mail/Settings.ts"
import { clickHouseSecrets } from "./ClickHouse/Settings.ts"
import { bucketSecrets } from "./Datasets/Settings.ts"
import { googleClientFile, type SettingsFile } from "./GoogleSetup/ClientFile.ts"
import { oidcSecrets } from "./SignIn/Settings.ts"

/** The settings of features that are secrets. */
export const featureSecrets: ReadonlyArray<string> = [
  ...clickHouseSecrets,
  ...oidcSecrets,
  ...bucketSecrets,
  ...mailSecrets
]

/** The files of features that have settings of the service. */
export const settingsFiles: ReadonlyArray<SettingsFile> = [googleClientFile]
