import { Data, Effect, FileSystem, Option } from "effect"
import { unusable } from "../DataDir.ts"

export class DirectoryInUse extends Data.TaggedError("DirectoryInUse")<{ readonly message: string }> {}

export class DirectoryLockFailed extends Data.TaggedError("DirectoryLockFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}

/**
 * Locks the folder of an embedded database until the scope closes: a second process would damage the database. The
 * kernel holds the lock, for every container that shares the folder, and releases it when the process ends.
 */
export const lockDirectory = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const pidFile = `${folder}.pid`
  const holder = Effect.map(
    Effect.option(fs.readFileString(pidFile)),
    (text) => Number(Option.getOrElse(text, () => ""))
  )
  const inUseBy = (holder: string) =>
    new DirectoryInUse({
      message: `The embedded database in ${folder} is in use by ${holder}. ` +
        "Stop it, choose another DATA_DIR, or set DATABASE_URL to share a Postgres server."
    })

  yield* Effect.acquireRelease(lockFile(folder), (lock) => Effect.sync(() => lock.close())).pipe(
    Effect.catchTag(
      "LockHeld",
      () =>
        Effect.flatMap(
          holder,
          (pid) => inUseBy(isOtherProcess(pid) ? `process ${pid}` : "another process, perhaps in another container")
        )
    )
  )
  // Shown in messages.
  yield* Effect.acquireRelease(
    Effect.mapError(fs.writeFileString(pidFile, `${process.pid}\n`, { mode: 0o600 }), unusable(pidFile)),
    () => Effect.ignore(fs.remove(pidFile))
  )
})

/** The kernel needs a moment to end a killed process and to release its lock. */
const maxWaitMillis = 500

class LockHeld extends Data.TaggedError("LockHeld") {}

/**
 * Node has no API for file locks, but SQLite locks a database with `fcntl`. Other code in this process must not open
 * the file: closing it would release the lock (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
const lockFile = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${folder}.lock`
  const failed = (cause: unknown) =>
    new DirectoryLockFailed({
      message: `The embedded database in ${folder} cannot be locked. ` +
        "DATA_DIR must be on a file system with file locks, and its path must be shorter than 500 bytes",
      cause
    })
  yield* fs.writeFileString(file, "", { flag: "wx", mode: 0o600 }).pipe(
    Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => Effect.void),
    Effect.mapError(failed)
  )
  // A dynamic import, because early versions of Node 24 print a warning on it.
  const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
  return yield* Effect.try({
    try: () => {
      const database = new DatabaseSync(file, { timeout: maxWaitMillis })
      try {
        // With its journal in memory, SQLite writes no file. Of two processes, exactly one gets the write lock.
        database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE")
      } catch (error) {
        database.close()
        throw error
      }
      return database
    },
    catch: (cause) => isBusy(cause) ? new LockHeld() : failed(cause)
  })
})

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5

export const isLocked = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const pid = yield* Effect.orElseSucceed(fs.readFileString(`${folder}.pid`), () => "")
  return isOtherProcess(Number(pid))
})

const isOtherProcess = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
