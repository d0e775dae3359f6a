import { execFileSync } from "node:child_process"

/** In their own processes: under Vitest, React would be built for development. */
export const setup = (): void => {
  for (const script of ["scripts/dashboard/Build.ts", "scripts/bundle/Build.ts"]) {
    execFileSync(process.execPath, [script], { stdio: "inherit", env: { ...process.env, NODE_ENV: "production" } })
  }
}
