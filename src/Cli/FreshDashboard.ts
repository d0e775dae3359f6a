import { Console, Effect, FileSystem, Option, Path } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { isFresh } from "../SourceDigest.ts"

/** Works in a clone only: the package and the image have the built dashboard and no script. */
export const freshDashboard = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* path.fromFileUrl(new URL("../..", import.meta.url))
  const script = path.join(root, "scripts/dashboard/Build.ts")
  if (process.permission?.has("child") === false) return
  if (!(yield* fs.exists(script)) || isFresh(root, "dist/dashboard")) return
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const exitCode = yield* Effect.option(spawner.exitCode(ChildProcess.make(process.execPath, [script])))
  if (Option.getOrUndefined(exitCode) !== 0) {
    yield* Console.error("The dashboard could not be built. Run `npm run prepare` to see why.")
  }
}).pipe(Effect.orDie)
