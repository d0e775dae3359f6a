import { execFileSync } from "node:child_process"
import { isNewer } from "../../scripts/IsNewer.ts"

const sources = ["src", "scripts/bundle", "scripts/dashboard", "package.json", "package-lock.json"]

const run = (script: string) => execFileSync(process.execPath, [script], { stdio: "inherit" })

/** Builds again only what is older than a source of it: an installation has built everything. */
export const setup = (): void => {
  run("scripts/client/Build.ts")
  if (!isNewer("dist/docs/index.html", sources)) run("scripts/dashboard/Build.ts")
  if (!isNewer("dist/service/main.js", sources)) run("scripts/bundle/Build.ts")
}
