import { Effect, FileSystem, Path } from "effect"
import { DataDirUnusable } from "../../../Sql/DataDir.ts"

/** Fails as the start does with a `DATA_DIR` in which it cannot write. Leaves nothing behind. */
export const requireDataFolder = Effect.fnUntraced(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const { dirname } = yield* Path.Path
  const unusable = (message: string) =>
    new DataDirUnusable({
      message:
        `${root}, of DATA_DIR, cannot be used (${message}). Set DATA_DIR to a folder in which this user can write.`
    })
  let existing = root
  while (!(yield* Effect.orElseSucceed(fs.exists(existing), () => false)) && dirname(existing) !== existing) {
    existing = dirname(existing)
  }
  const { type } = yield* Effect.mapError(fs.stat(existing), ({ message }) => unusable(message))
  if (type !== "Directory") return yield* unusable(`${existing} is not a folder`)
  const isWritable = existing === root
    ? fs.access(root, { readable: true, writable: true })
    : Effect.scoped(fs.makeTempDirectoryScoped({ directory: existing, prefix: "oa-doctor-" }))
  yield* Effect.mapError(isWritable, ({ message }) => unusable(message))
})
