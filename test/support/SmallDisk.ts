import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmdirSync, rmSync, statfsSync, statSync } from "node:fs"
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

let absence: string | undefined

const tryMount = (): string => {
  const folder = mounted(1)
  if (folder === undefined) return " (skipped: no file system can be mounted here)"
  unmount(folder)
  return ""
}

/** Why there is no small disk. The first use mounts one for a moment. */
export const diskAbsence = (): string => absence ??= tryMount()

/** A file system in memory. */
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
        /** Leaves at most `left` bytes. */
        fill: (left: number) =>
          Effect.sync(() => {
            // A service that writes meanwhile leaves less than was free.
            for (let count = 0; count < 1000; count++) {
              const { bavail, bsize } = statfsSync(folder)
              const length = bavail * bsize - left
              if (length <= 0) return
              const offset = statSync(ballast, { throwIfNoEntry: false })?.size ?? 0
              const { error, status } = spawnSync("fallocate", [
                "--offset",
                `${offset}`,
                "--length",
                `${length}`,
                ballast
              ])
              if (status === 0) return
              if (error) throw error
            }
            throw new Error(`No file fills the disk at ${folder}`)
          }),
        free: Effect.sync(() => rmSync(ballast, { force: true }))
      }
    }
  )
