/**
 * Builds `src/Client/Generated` where a source of it is newer. Does nothing in an installation without development
 * packages.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isInstalled } from "../IsInstalled.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "src/Client/Generated")
/** Written last, so that a build that was interrupted is repeated. */
const built = join(folder, ".built")

const sources = ["src/Api", "src/Domain", "src/Providers", "src/Server.ts", "scripts/client", "package-lock.json"]

/** The time of a folder tells of files that were removed. */
const changedAt = (path: string): number => {
  const stat = statSync(path)
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
    : stat.mtimeMs
}

const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0
const newest = Math.max(...sources.map((source) => changedAt(join(root, source))))

if (newest >= builtAt && isInstalled("@googleapis/docs")) {
  const { clientModules } = await import("./Modules.ts")
  const modules = Object.entries(clientModules())
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, source] of modules) {
    writeFileSync(join(folder, `${name}.ts`), `// Built by scripts/client/Build.ts.\n${source}`)
  }
  writeFileSync(built, "")
}
