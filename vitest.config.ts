import { statfs } from "node:fs/promises"
import { setFlagsFromString } from "node:v8"
import { defineConfig } from "vitest/config"
import { Progress } from "./scripts/check/Progress.ts"

// Node 24 crashes at times when threads share the code of the embedded database and some of it is collected.
setFlagsFromString("--no-wasm-code-gc")
// A database's memory counts by its size. Otherwise each database that opens starts a full collection.
setFlagsFromString("--external-memory-accounted-in-global-limit")

// Files in memory, if there is room. A file system on a disk takes longer to create a file, the more were deleted lately.
const inMemory = "/dev/shm"
const free = await statfs(inMemory).then(({ bavail, bsize }) => bavail * bsize, () => 0)
if (free > 4e9) process.env["TMPDIR"] = inMemory

const everybody = [
  "test/support/TemporaryFiles.ts",
  "test/support/SkippedTests.ts",
  "test/support/DatabaseTemplate.ts",
  "test/support/SharedPostgres.ts"
]

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "test", include: ["test/**/*.test.ts"], globalSetup: everybody } },
      {
        extends: true,
        test: {
          name: "prove",
          include: ["test/**/*.prove.ts"],
          globalSetup: [...everybody, "test/support/Build.ts", "scripts/dashboard/Chromium.ts"]
        }
      }
    ],
    setupFiles: ["test/support/Seed.ts"],
    reporters: ["minimal", new Progress()],
    // Files that took longest in the last run come first; their tests are in random order.
    sequence: { shuffle: { tests: true, files: false } },
    pool: "threads",
    isolate: false,
    maxWorkers: 3,
    // Node runs TypeScript itself. Its own bindings between modules are faster than those that Vite makes.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // For tests that hang. A busy machine slows any test down.
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
