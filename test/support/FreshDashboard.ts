import { execFileSync } from "node:child_process"

/** In its own process: under Vitest, React would be built for development. */
export const setup = (): void => {
  execFileSync(process.execPath, ["scripts/dashboard/Build.ts"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" }
  })
}
