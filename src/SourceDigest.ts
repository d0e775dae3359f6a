import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

/** In a folder of `dist`: the files that it was built from, relative to the root of the project, and their digest. */
const sourcesFile = "sources.json"

interface Sources {
  readonly files: ReadonlyArray<string>
  readonly digest: string
}

const digestOf = (root: string, files: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const file of files) {
    const path = join(root, file)
    hash.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : "")
  }
  return hash.digest("hex")
}

/**
 * True if the folder was built from the present files. New files need no check, because a changed file imports them.
 */
export const isFresh = (root: string, folder: string): boolean => {
  const path = join(root, folder, sourcesFile)
  if (!existsSync(path)) return false
  const { digest, files }: Sources = JSON.parse(readFileSync(path, "utf8"))
  return digest === digestOf(root, files)
}

export const pathFrom = (folder: string, file: string): string => relative(folder, file).split(sep).join("/")

export const markFresh = (root: string, folder: string, paths: ReadonlyArray<string>): void => {
  const files = paths.map((path) => pathFrom(root, path)).toSorted()
  const sources: Sources = { files, digest: digestOf(root, files) }
  writeFileSync(join(root, folder, sourcesFile), JSON.stringify(sources))
}
