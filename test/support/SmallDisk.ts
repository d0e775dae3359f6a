import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const mounted = (megabytes: number): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "openaccounts-disk-"))
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=777`, "tmpfs", folder])
  if (status === 0) return folder
  rmdirSync(folder)
  return undefined
}

const unmount = (folder: string): void => {
  spawnSync("umount", ["--lazy", folder])
  rmdirSync(folder)
}

const tried = mounted(1)
if (tried !== undefined) unmount(tried)

/** Why there is no small disk. */
export const diskAbsence = tried === undefined ? " (skipped: only root may mount a file system)" : ""

/** A file system in memory of so many megabytes. */
export const smallDisk = (megabytes: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.suspend(() => Effect.orDie(Effect.fromNullishOr(mounted(megabytes)))),
      (folder) => Effect.sync(() => unmount(folder))
    ),
    (folder) => {
      const ballast = join(folder, "ballast")
      return {
        folder,
        /** Leaves at most so many bytes. */
        fill: (left: number) =>
          Effect.sync(() => {
            const { bavail, bsize } = statfsSync(folder)
            const length = bavail * bsize - left
            if (length > 0) spawnSync("fallocate", ["--length", `${length}`, ballast])
          }),
        free: Effect.sync(() => rmSync(ballast, { force: true }))
      }
    }
  )
