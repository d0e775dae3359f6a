import { Effect, FileSystem, Option, Path, type PlatformError, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { DataDir, type DataDirError } from "../../../Sql/DataDir.ts"
import { DatasetStorageFailed, type FileStore } from "./FileStore.ts"

const unfinished = ".part"

/** `DATA_DIR/datasets`. Makes nothing before the first file. */
export const makeFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const dataDir = yield* DataDir
  const { basename, dirname, join, sep } = yield* Path.Path
  const pathOf = (key: string) => Effect.mapError(dataDir.path(join("datasets", key)), failed)

  const removeUnfinished = (folder: string) =>
    Effect.flatMap(
      fs.readDirectory(folder),
      Effect.forEach((name) => name.endsWith(unfinished) ? fs.remove(join(folder, name), { force: true }) : Effect.void)
    )

  /** Waits for the disk before the rename, so that a power failure leaves the old file or the new one. */
  const writeSynced = (path: string, content: Uint8Array) =>
    Effect.scoped(Effect.flatMap(
      fs.open(path, { flag: "wx", mode: 0o600 }),
      (file) => Effect.andThen(file.writeAll(content), file.sync)
    ))

  const write = Effect.fn("Folder.write")(function*(key: string, content: Uint8Array) {
    const path = yield* pathOf(key)
    const beside = join(dirname(path), `.${basename(path)}.${randomUUID()}${unfinished}`)
    yield* Effect.gen(function*() {
      yield* fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 })
      // A process that was killed may have left files.
      yield* removeUnfinished(dirname(path))
      yield* writeSynced(beside, content)
      yield* fs.rename(beside, path)
    }).pipe(
      Effect.onError(() => Effect.ignore(fs.remove(beside, { force: true }))),
      Effect.mapError(failed)
    )
  })

  const entry = Effect.fnUntraced(function*(folder: string, name: string) {
    const { mtime, size, type } = yield* fs.stat(join(folder, name))
    return type !== "File" ? [] : [{
      name: name.split(sep).join("/"),
      bytes: Number(size),
      modified_at: Option.getOrElse(mtime, () => new Date(0)).toISOString()
    }]
  }, (effect) => orNone(effect, []))

  const list = Effect.fn("Folder.list")(function*(key: string) {
    const folder = yield* pathOf(key)
    const names = yield* orNone(fs.readDirectory(folder, { recursive: true }), [])
    const entries = yield* Effect.forEach(
      names.filter((name) => !name.endsWith(unfinished)),
      (name) => entry(folder, name),
      { concurrency: 8 }
    )
    return entries.flat().toSorted((a, b) => a.name < b.name ? -1 : 1)
  }, Effect.mapError(failed))

  const read = Effect.fn("Folder.read")(function*(key: string) {
    const path = yield* pathOf(key)
    const size = yield* orNone(Effect.map(fs.stat(path), ({ size }) => Option.some(size)), Option.none())
    return Option.map(size, (size) => ({
      bytes: Number(size),
      content: Stream.mapError(fs.stream(path), failed)
    }))
  }, Effect.mapError(failed))

  const remove = Effect.fn("Folder.remove")(
    (key: string) => Effect.flatMap(pathOf(key), (path) => fs.remove(path, { recursive: true, force: true })),
    Effect.mapError(failed)
  )

  const store: FileStore = { write, read, list, remove, check: Effect.void }
  return store
})

const orNone = <A>(effect: Effect.Effect<A, PlatformError.PlatformError>, none: A) =>
  Effect.catchIf(effect, ({ reason }) => reason._tag === "NotFound", () => Effect.succeed(none))

const failed = (error: PlatformError.PlatformError | DataDirError | DatasetStorageFailed): DatasetStorageFailed =>
  error._tag === "DatasetStorageFailed"
    ? error
    : new DatasetStorageFailed({ message: `The folder of datasets cannot be used: ${error.message}` })
