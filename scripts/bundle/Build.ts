/**
 * Bundles the service and its command line into `dist/service` if their sources have changed. Does nothing without
 * Rolldown, as in an installation without development packages.
 */
import { join } from "node:path"
import { isFresh, markFresh } from "../../src/SourceDigest.ts"
import { isInstalled } from "../IsInstalled.ts"

const root = join(import.meta.dirname, "../..")
const folder = "dist/service"

if (isInstalled("rolldown") && !isFresh(root, folder)) {
  const { bundle } = await import("./Bundle.ts")
  const sources = await bundle(join(root, "src/main.ts"), join(root, folder))
  markFresh(root, folder, [join(root, "package-lock.json"), ...sources])
}
