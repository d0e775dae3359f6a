/** Runs the checks of `npm run check` in parallel. Prints the output of failed ones and exits with 1 if any failed. */
import { execFile, execFileSync } from "node:child_process"
import { join } from "node:path"

// The compiler reads what it builds.
await import("../client/Build.ts")

const root = join(import.meta.dirname, "../..")
const bin = join(root, "node_modules/.bin")

/** The TypeScript compiler with the Effect diagnostics. */
const tsc = execFileSync(join(bin, "effect-tsgo"), ["get-exe-path"], { encoding: "utf8" }).trim()

/** The next check skips the files that no change has reached since this one. */
const typeCheck = (project: string) => {
  const state = join(root, "node_modules/.cache/check", `${project === "." ? "all" : "dashboard"}.tsbuildinfo`)
  // A second checker thread would repeat the check of shared types.
  return [tsc, "--checkers", "1", "--incremental", "--tsBuildInfoFile", state, "--project", project] as const
}

const checks: ReadonlyArray<readonly [command: string, ...args: ReadonlyArray<string>]> = [
  typeCheck("."),
  typeCheck("src/Dashboard"),
  [join(bin, "oxlint"), "--deny-warnings"],
  [process.execPath, "scripts/check/LockFile.ts"],
  [process.execPath, "scripts/check/NodeBinary.mjs"],
  [join(bin, "dprint"), "check"]
]

// The compilers are Go programs, which collect less often so. They take 25 % less CPU time and 300 MB more memory.
const env = { GOGC: "400", ...process.env }

for (const [command, ...args] of checks) {
  execFile(command, args, { cwd: root, env, maxBuffer: 100_000_000 }, (error, stdout, stderr) => {
    if (error === null) return
    process.exitCode = 1
    process.stderr.write(`\n${[command, ...args].join(" ")}\n${stdout}${stderr}`)
  })
}
