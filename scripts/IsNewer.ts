import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** The time of a folder tells of files that were removed. */
const changedAt = (path: string): number => {
  const stat = statSync(path)
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
    : stat.mtimeMs
}

/** Whether the file exists and is newer than all the sources, which are files and folders of the project. */
export const isNewer = (built: string, sources: ReadonlyArray<string>): boolean =>
  (statSync(join(root, built), { throwIfNoEntry: false })?.mtimeMs ?? 0) >
    Math.max(...sources.map((source) => changedAt(join(root, source))))
