/**
 * Builds `src/Client/Generated` where a source of it is newer. Does nothing in an installation without development
 * packages.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isInstalled } from "../IsInstalled.ts"
import { isNewer } from "../IsNewer.ts"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "src/Client/Generated")
/** Written last, so that a build that was interrupted is repeated. */
const built = "src/Client/Generated/.built"

const sources = [
  "src/Api",
  "src/Declared",
  "src/Domain",
  "src/Providers",
  "src/Registrations.ts",
  "scripts/client",
  "package-lock.json"
]

if (!isNewer(built, sources) && isInstalled("@googleapis/docs")) {
  const { clientModules } = await import("./Modules.ts")
  const modules = Object.entries(clientModules())
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, source] of modules) {
    writeFileSync(join(folder, `${name}.ts`), `// Built by scripts/client/Build.ts.\n${source}`)
  }
  writeFileSync(join(root, built), "")
}
