/** Runs the tests beside the checks of `npm run check`, which use the time in which tests wait. Fails if any failed. */
import { spawn } from "node:child_process"
import { join } from "node:path"

await import("./Check.ts")

const root = join(import.meta.dirname, "../..")
const tests = spawn(join(root, "node_modules/.bin/vitest"), ["run", "--project", "test", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit"
})

tests.once("exit", (code) => {
  if (process.exitCode !== undefined) process.stderr.write("A check failed: see its output above.\n")
  if (code !== 0) process.exitCode = 1
})
