import { execFileSync } from "node:child_process"

export const setup = (): void => {
  for (const script of ["scripts/client/Build.ts", "scripts/dashboard/Build.ts", "scripts/bundle/Build.ts"]) {
    execFileSync(process.execPath, [script], { stdio: "inherit" })
  }
}
