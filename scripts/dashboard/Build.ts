/** Builds the dashboard into `dist/dashboard`. Does nothing without Vite, as in an installation without development packages. */
import { join } from "node:path"
import { isInstalled } from "../IsInstalled.ts"

if (isInstalled("vite")) {
  const { build } = await import("vite")
  await build({ configFile: join(import.meta.dirname, "../../src/Dashboard/vite.config.ts"), logLevel: "warn" })
}
