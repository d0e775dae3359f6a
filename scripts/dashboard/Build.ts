/**
 * Builds the dashboard into `dist/dashboard` if its sources have changed. Does nothing without Vite, as in an
 * installation without development packages.
 */
import { createRequire } from "node:module"
import { join } from "node:path"
import { isFresh } from "../../src/Dashboard/SourceDigest.ts"

const root = join(import.meta.dirname, "../..")

const isInstalled = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

if (isInstalled("vite/package.json") && !isFresh(join(root, "src"), join(root, "dist/dashboard"))) {
  const { build } = await import("vite")
  await build({ configFile: join(root, "src/Dashboard/vite.config.ts"), logLevel: "warn" })
}
