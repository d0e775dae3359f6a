/**
 * Checks `package-lock.json`: each package comes from a registry, and a hash fixes its content. Prints what is wrong and
 * exits with 1.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
}

/** A registry can lack tools for systems other than its own. npm then writes no hash. */
const isOfOtherSystem = ({ cpu = [], dev, optional, os }: Entry): boolean =>
  dev === true && optional === true && os !== undefined && !(os.includes("linux") && cpu.includes("x64"))

const problemOf = (path: string, entry: Entry): string | undefined => {
  const { integrity, link, resolved, version = "" } = entry
  // The project and its workspaces.
  if (link === true || !path.includes("node_modules/")) return undefined
  if (resolved !== undefined) return `is from ${resolved}. A lock file names no place: omit-lockfile-registry-resolved`
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) return `has the version ${version}, which no registry has`
  if (integrity === undefined ? isOfOtherSystem(entry) : integrity.startsWith("sha512-")) return undefined
  return "has no integrity with SHA-512"
}

/** What is wrong with a lock file, a line each. */
export const lockFileProblems = ({ packages }: { readonly packages: Readonly<Record<string, Entry>> }) =>
  Object.entries(packages).flatMap(([path, entry]) => {
    const problem = problemOf(path, entry)
    return problem === undefined ? [] : [`${path} ${problem}`]
  })

if (import.meta.main) {
  const problems = lockFileProblems(
    JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8"))
  )
  for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
