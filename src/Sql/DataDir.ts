import { Config, Context, Data, Effect, FileSystem, Layer, Path, type PlatformError, Redacted } from "effect"
import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

export class DataDirExposed extends Data.TaggedError("DataDirExposed")<{ readonly message: string }> {}

export class DataDirUnusable extends Data.TaggedError("DataDirUnusable")<{ readonly message: string }> {}

/** The absolute path. Makes nothing. */
export const dataDirRoot = Effect.gen(function*() {
  const { resolve } = yield* Path.Path
  return resolve(yield* Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./.data")))
})

export type DataDirError = DataDirExposed | DataDirUnusable

export class DataDir extends Context.Service<DataDir, {
  readonly path: (name: string) => Effect.Effect<string, DataDirError>
  readonly secret: (name: string, generate: () => string) => Effect.Effect<Redacted.Redacted, DataDirError>
}>()("openaccounts/Sql/DataDir") {
  static readonly layer = Layer.effect(
    DataDir,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { dirname, join } = yield* Path.Path
      const root = yield* dataDirRoot
      const made = yield* Effect.cached(makeRoot(fs, root, dirname))
      const path = (name: string) => Effect.as(made, join(root, name))

      return DataDir.of({
        path,
        secret: Effect.fn("DataDir.secret")(function*(name, generate) {
          const file = yield* path(name)
          yield* fs.writeFileString(file, `${generate()}\n`, { flag: "wx", mode: 0o600 }).pipe(
            Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => closeToOthers(file)),
            Effect.mapError(unusable(file))
          )
          return Redacted.make((yield* Effect.mapError(fs.readFileString(file), unusable(file))).trim())
        })
      })
    })
  )
}

const expectedNames = new Set([
  "admin-token",
  "encryption-keys",
  "datasets",
  "db",
  "db.lock",
  "db.pid",
  "demo",
  "lost+found",
  "demo.json",
  "snapshots",
  "sandbox-service-account.json"
])

/** Refuses a folder with other files: `DATA_DIR` may be a home folder. */
const makeRoot = Effect.fnUntraced(function*(
  fs: FileSystem.FileSystem,
  root: string,
  dirname: (path: string) => string
) {
  yield* makeFolder(fs, root, dirname).pipe(
    Effect.andThen(fs.access(root, { readable: true, writable: true })),
    Effect.mapError(unusable(root))
  )
  const { mode, type } = yield* Effect.mapError(fs.stat(root), unusable(root))
  if (type !== "Directory") {
    return yield* new DataDirUnusable({ message: `${root}, of DATA_DIR, is not a folder. ${advice}` })
  }
  if (!isAccessibleToOthers(mode)) return
  const names = yield* Effect.mapError(fs.readDirectory(root), unusable(root))
  const closed = names.every((name) => expectedNames.has(name)) &&
    (yield* Effect.isSuccess(fs.chmod(root, mode & 0o700)))
  if (closed) return
  return yield* new DataDirExposed({
    message: `Others can open ${root}, the folder of DATA_DIR. ` +
      `Run "chmod go= ${root}", or set DATA_DIR to a new folder, such as ${join(root, "openaccounts")}.`
  })
})

/** Node's recursive option never ends below `/proc`. */
const makeFolder = (
  fs: FileSystem.FileSystem,
  folder: string,
  dirname: (path: string) => string
): Effect.Effect<void, PlatformError.PlatformError> => {
  const make = fs.makeDirectory(folder, { mode: 0o700 }).pipe(
    Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => Effect.void)
  )
  const parent = dirname(folder)
  return Effect.catchIf(
    make,
    (error) => error.reason._tag === "NotFound" && parent !== folder,
    () => Effect.andThen(makeFolder(fs, parent, dirname), make)
  )
}

const advice = "Set DATA_DIR to a folder in which this user can write."

export const unusable = (path: string) => ({ reason }: PlatformError.PlatformError) =>
  new DataDirUnusable({
    message: `${path}, of DATA_DIR, cannot be used${
      reason.cause instanceof Error ? ` (${reason.cause.message})` : ""
    }. ${advice}`
  })

interface FileMode {
  readonly path: string
  readonly mode: number
}

const hasFileModes = process.platform !== "win32"

export const isAccessibleToOthers = (mode: number): boolean => hasFileModes && (mode & 0o077) !== 0

/** Skips links below `root`. Synchronous, which takes 10 % of the time for the 1,000 files of a database. */
export const findAccessible = (root: string): Effect.Effect<ReadonlyArray<FileMode>> =>
  Effect.try(() => {
    const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true
    const below = isFolder ? readdirSync(root, { recursive: true, withFileTypes: true }) : []
    return [
      root,
      ...below.filter((entry) => !entry.isSymbolicLink()).map(({ name, parentPath }) => join(parentPath, name))
    ].map((path) => ({ path, mode: statSync(path, { throwIfNoEntry: false })?.mode ?? 0 }))
      .filter(({ mode }) => isAccessibleToOthers(mode))
  }).pipe(Effect.orElseSucceed(() => []))

export const closeToOthers = (root: string) =>
  Effect.flatMap(
    findAccessible(root),
    Effect.forEach(({ mode, path }) => Effect.ignore(Effect.try(() => chmodSync(path, mode & 0o700))), {
      discard: true
    })
  )

export const restrictNewFiles = Effect.sync(() => void process.umask(0o077))
