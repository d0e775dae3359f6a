import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const rooms = ["Dashboard", "Api", "Domain"]

const sourceDigest = (src: string): string => {
  const hash = createHash("sha256")
  for (const room of rooms) {
    const files = readdirSync(join(src, room), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
    for (const file of files.map(({ name, parentPath }) => join(parentPath, name)).toSorted()) {
      hash.update(file.slice(src.length)).update(readFileSync(file))
    }
  }
  return hash.digest("hex")
}

const digestFile = "sources.sha256"

export const isFresh = (src: string, folder: string): boolean => {
  const digest = join(folder, digestFile)
  return existsSync(digest) && readFileSync(digest, "utf8") === sourceDigest(src)
}

export const markFresh = (src: string, folder: string): void =>
  writeFileSync(join(folder, digestFile), sourceDigest(src))
