/**
 * Builds the dashboard into `dist/dashboard` if its sources have changed. Does nothing without Vite, as in an
 * installation without development packages.
 */
import { join } from "node:path"
import { isFresh } from "../../src/SourceDigest.ts"
import { isInstalled } from "../IsInstalled.ts"

const root = join(import.meta.dirname, "../..")

if (isInstalled("vite") && !isFresh(root, "dist/dashboard")) {
  const { build } = await import("vite")
  await build({ configFile: join(root, "src/Dashboard/vite.config.ts"), logLevel: "warn" })
}
