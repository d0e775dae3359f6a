import { Config, ConfigProvider, Effect, Option, Path, Result } from "effect"
import { isLocked } from "../Sql/Client/DirectoryLock.ts"
import { dataDirRoot } from "../Sql/DataDir.ts"

const ignored = new Set([
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_POOLER",
  "ENCRYPTION_KEYS"
])

const demoFolder = Effect.gen(function*() {
  const { join } = yield* Path.Path
  return join(yield* dataDirRoot, "demo")
})

export const isDemoRunning = Effect.gen(function*() {
  const server = yield* Effect.result(Config.option(Config.Redacted("DATABASE_URL")))
  // A setting that cannot be read is set.
  if (Result.isFailure(server) || Option.isSome(server.success)) return false
  const { join } = yield* Path.Path
  return (yield* isLocked(join(yield* demoFolder, "db"))) && !(yield* isLocked(join(yield* dataDirRoot, "db")))
})

export const dataDirPath = Effect.flatMap(isDemoRunning, (demo) => demo ? demoFolder : dataDirRoot)

export const demoSettings = ConfigProvider.layer(Effect.gen(function*() {
  const environment = yield* ConfigProvider.ConfigProvider
  const own = ConfigProvider.fromUnknown({
    DATA_DIR: yield* demoFolder,
    PROVIDER_MODE: "sandbox",
    WEBHOOK_ALLOW_PRIVATE: "true"
  })
  return ConfigProvider.orElse(
    own,
    ConfigProvider.make((path) => ignored.has(path.join("_")) ? Effect.undefined : environment.load(path))
  )
}))
