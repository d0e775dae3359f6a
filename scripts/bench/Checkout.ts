import { Data, Effect, FileSystem } from "effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { project } from "./NodeProcess.ts"

class CheckoutFailed extends Data.TaggedError("CheckoutFailed")<{ readonly message: string }> {}

const run = (command: string, ...args: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => promisify(execFile)(command, args, { cwd: project }),
    catch: (cause) => new CheckoutFailed({ message: String(cause) })
  })

export const checkOut = Effect.fn("checkOut")(function*(commit: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.acquireRelease(
    run("git", "worktree", "add", "--detach", folder, commit),
    () => Effect.ignore(run("git", "worktree", "remove", "--force", folder))
  )
  yield* fs.symlink(`${project}node_modules`, `${folder}/node_modules`)
  const build = `${folder}/scripts/bundle/Build.ts`
  if (yield* fs.exists(build)) yield* run(process.execPath, build)
  return folder
})
