import { Data, Effect, FileSystem, Option } from "effect"

export class DirectoryInUse extends Data.TaggedError("DirectoryInUse")<{ readonly message: string }> {}

/**
 * Locks the folder of an embedded database until the scope closes: a second process would damage the database. The lock
 * is a file beside the folder with a process id. A lock whose process is gone is replaced.
 */
export const lockDirectory = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${folder}.pid`
  const lock: Effect.Effect<void, DirectoryInUse> = fs.writeFileString(file, `${process.pid}\n`, {
    flag: "wx",
    mode: 0o600
  }).pipe(
    Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () =>
      Effect.gen(function*() {
        const holder = yield* Effect.option(fs.readFileString(file))
        if (Option.isSome(holder) && isOtherProcess(Number(holder.value))) {
          return yield* new DirectoryInUse({
            message: `The embedded database in ${folder} is in use by process ${holder.value.trim()}. ` +
              `Stop it, choose another DATA_DIR, or set DATABASE_URL to share a Postgres server ` +
              `(remove ${file} if that process is not OpenAccounts).`
          })
        }
        yield* Effect.ignore(fs.remove(file))
        return yield* lock
      })),
    Effect.catchIf((error) => !(error instanceof DirectoryInUse), Effect.die)
  )
  yield* Effect.acquireRelease(lock, () => Effect.ignore(fs.remove(file)))
})

const isOtherProcess = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
