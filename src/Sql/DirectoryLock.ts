import { Data, Effect, FileSystem, Option } from "effect"

export class DirectoryInUse extends Data.TaggedError("FolderInUse")<{ readonly message: string }> {}

/**
 * Keeps a second process from opening the same embedded database, which would damage it. The lock is a file beside the
 * folder with the holder's process id; one that a crash left behind is taken over.
 */
export const lockDirectory = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const file = `${folder}.pid`
  const hold: Effect.Effect<void, DirectoryInUse> = fs.writeFileString(file, `${process.pid}\n`, {
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
              `(remove ${file} if that process is something else).`
          })
        }
        yield* Effect.ignore(fs.remove(file))
        return yield* hold
      })),
    Effect.catchIf((error) => !(error instanceof DirectoryInUse), Effect.die)
  )
  yield* Effect.acquireRelease(hold, () => Effect.ignore(fs.remove(file)))
})

const isOtherProcess = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
