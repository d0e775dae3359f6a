import { Data, Effect, FileSystem } from "effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { project } from "./NodeProcess.ts"

class CheckoutFailed extends Data.TaggedError("CheckoutFailed")<{ readonly message: string }> {}

const git = (...args: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => promisify(execFile)("git", args, { cwd: project }),
    catch: (cause) => new CheckoutFailed({ message: String(cause) })
  })

export const checkOut = Effect.fn("checkOut")(function*(commit: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.acquireRelease(
    git("worktree", "add", "--detach", folder, commit),
    () => Effect.ignore(git("worktree", "remove", "--force", folder))
  )
  yield* fs.symlink(`${project}node_modules`, `${folder}/node_modules`)
  return folder
})
