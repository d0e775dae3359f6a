import { Effect, FileSystem } from "effect"
import { makeKeyFile } from "../../Sandbox/Identity/KeyFile.ts"
import { DataDir } from "../../Sql/DataDir.ts"

export const sandboxServiceAccount = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* (yield* DataDir).path("sandbox-service-account.json")
  if (!(yield* fs.exists(path))) {
    yield* fs.writeFileString(path, `${yield* Effect.promise(makeKeyFile)}\n`, { mode: 0o600 })
  }
  return path
})
