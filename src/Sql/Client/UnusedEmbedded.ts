import { Effect, FileSystem, Option, Path } from "effect"
import { dataDirRoot } from "../DataDir.ts"

/** The folder of an embedded database in `DATA_DIR`. Looks at the file system only. */
export const embeddedFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = join(yield* dataDirRoot, "db")
  const isDatabase = yield* Effect.orElseSucceed(fs.exists(join(folder, "PG_VERSION")), () => false)
  return isDatabase ? Option.some(folder) : Option.none()
})

/** `oa doctor` counts what is there; a start does not open the database. */
export const warnOfUnusedEmbedded = Effect.flatMap(
  embeddedFolder,
  Option.match({
    onNone: () => Effect.void,
    onSome: (folder) =>
      Effect.logWarning(
        `DATABASE_URL is set, so the embedded database in ${folder} is not used: its connections, keys and calls are ` +
          `not here. ${howToUseEmbedded} Otherwise move that folder elsewhere. "oa doctor" counts its connections`
      )
  })
)

export const howToUseEmbedded =
  "To use it, start without DATABASE_URL and with the same DATA_DIR, and without ENCRYPTION_KEYS if that was not set " +
  "before. \"oa move --to\" takes its data to an empty database of a server."
