import { Effect, Option, Path } from "effect"
import { check, ok, responseTimeout } from "../../Cli/Commands/Doctor/Check.ts"
import { requireDataFolder } from "../../Cli/Commands/Doctor/DataFolderCheck.ts"
import { dataDirPath } from "../../Cli/DemoSettings.ts"
import { makeBucket } from "./Files/Bucket.ts"
import { DatasetStorageFailed } from "./Files/FileStore.ts"
import { bucketSettings } from "./Settings.ts"

export const storageCheck = Effect.gen(function*() {
  const settings = yield* bucketSettings
  const { join } = yield* Path.Path
  if (Option.isNone(settings)) {
    const root = yield* dataDirPath
    yield* requireDataFolder(root)
    return ok(`are kept in ${join(root, "datasets")}`)
  }
  const { bucket, endpoint, prefix } = settings.value
  const { check } = yield* makeBucket(settings.value)
  yield* Effect.timeoutOrElse(check, {
    duration: responseTimeout,
    orElse: () => new DatasetStorageFailed({ message: `${endpoint} does not answer` })
  })
  return ok(`are kept at ${endpoint}, in the bucket ${bucket}${prefix === "" ? "" : ` below ${prefix}`}`)
}).pipe(check("datasets"))
