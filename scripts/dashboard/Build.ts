/**
 * Builds the dashboard into `dist/dashboard` and the page of `/docs` into `dist/docs`. Does nothing without Vite, as in an
 * installation without development packages.
 */
import { join } from "node:path"
import { isInstalled } from "../IsInstalled.ts"

if (isInstalled("vite")) {
  // React reads it. Vite keeps another value, such as that of a test runner.
  process.env["NODE_ENV"] = "production"
  const { build } = await import("vite")
  for (const folder of ["Dashboard", "Dashboard/Docs"]) {
    await build({ configFile: join(import.meta.dirname, "../../src", folder, "vite.config.ts"), logLevel: "warn" })
  }
}
