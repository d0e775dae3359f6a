import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { plant, type Planted } from "./Plant.ts"

const omitted = new Set(["node_modules", ".git", ".data", "coverage"])

const copy = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true, filter: (path) => !omitted.has(relative(from, path)) })

/** A copy of one checkout with the sources of another one, and all mutants in them. Returns its folder. */
export const plantTree = (sources: string, tests: string, mutants: ReadonlyArray<Planted>): string => {
  const tree = mkdtempSync(join(tmpdir(), "openaccounts-mutants-"))
  // Postgres runs as another user.
  chmodSync(tree, 0o755)
  copy(tests, tree)
  rmSync(join(tree, "src"), { recursive: true })
  copy(join(sources, "src"), join(tree, "src"))
  copy(import.meta.dirname, join(tree, "scripts/mutants"))
  symlinkSync(join(tests, "node_modules"), join(tree, "node_modules"))
  for (const [file, ofFile] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const path = join(tree, file)
    const { atime, mtime } = statSync(path)
    const runtime = relative(dirname(path), join(tree, "scripts/mutants/Active.ts"))
    writeFileSync(path, plant(readFileSync(path, "utf8"), ofFile, runtime))
    // What was built from the file is still new enough.
    utimesSync(path, atime, mtime)
  }
  return tree
}
