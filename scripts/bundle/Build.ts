/**
 * Bundles the service and its command line into `dist/service`. Does nothing without Rolldown, as in an installation
 * without development packages.
 */
import { join } from "node:path"
import { isInstalled } from "../IsInstalled.ts"

const root = join(import.meta.dirname, "../..")

if (isInstalled("rolldown")) {
  const { bundle } = await import("./Bundle.ts")
  await bundle(join(root, "src/main.ts"), join(root, "dist/service"))
}
