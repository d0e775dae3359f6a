import { Config, ConfigProvider, Effect, Option, Path } from "effect"
import { isLocked } from "../Sql/DirectoryLock.ts"

/** The settings of the database and its keys. The demo has a database of its own. */
const ignored = new Set([
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_POOLER",
  "ENCRYPTION_KEYS"
])

const configuredFolder = Effect.gen(function*() {
  const { resolve } = yield* Path.Path
  return resolve(yield* Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")))
})

/** A folder in `DATA_DIR`. */
const demoFolder = Effect.gen(function*() {
  const { join } = yield* Path.Path
  return join(yield* configuredFolder, "demo")
})

/** Whether a demo runs on `DATA_DIR`, and no server with these settings. */
export const isDemoRunning = Effect.gen(function*() {
  if (Option.isSome(yield* Config.option(Config.Redacted("DATABASE_URL")))) return false
  const { join } = yield* Path.Path
  return (yield* isLocked(join(yield* demoFolder, "db"))) && !(yield* isLocked(join(yield* configuredFolder, "db")))
})

/** `DATA_DIR`, or the folder of the demo that runs on it. */
export const dataDirPath = Effect.flatMap(isDemoRunning, (demo) => demo ? demoFolder : configuredFolder)

/** The settings of the demo: those of the environment, with a database in a folder of its own and the sandbox. */
export const demoSettings = ConfigProvider.layer(Effect.gen(function*() {
  const environment = yield* ConfigProvider.ConfigProvider
  const own = ConfigProvider.fromUnknown({ DATA_DIR: yield* demoFolder, PROVIDER_MODE: "sandbox" })
  return ConfigProvider.orElse(
    own,
    ConfigProvider.make((path) => ignored.has(path.join("_")) ? Effect.undefined : environment.load(path))
  )
}))
