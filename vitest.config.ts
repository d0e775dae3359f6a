import { hash } from "node:crypto"
import { statfs } from "node:fs/promises"
import { setFlagsFromString } from "node:v8"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// Node 24 crashes at times when threads share the code of the embedded database and some of it is collected.
setFlagsFromString("--no-wasm-code-gc")
// A database's memory counts by its size. Otherwise each database that opens starts a full collection.
setFlagsFromString("--external-memory-accounted-in-global-limit")

// Files in memory, if there is room. A file system on a disk takes longer to create a file, the more were deleted lately.
const inMemory = "/dev/shm"
const free = await statfs(inMemory).then(({ bavail, bsize }) => bavail * bsize, () => 0)
if (free > 4e9) process.env["TMPDIR"] = inMemory

/** The slowest files. A worker that began with one of them last would end long after the others. */
const first = [
  "Package/Package",
  "Agents/Authorization/Attacks",
  "Agents/Mcp/Approvals",
  "Agents/Mcp/LargeResults",
  "Agents/Mcp/OfficialClients",
  "Calls/ClickHouse/ClickHouse",
  "Dashboard/Accessibility",
  "Dashboard/Datasets",
  "Dashboard/FirstRun",
  "Dashboard/Journeys",
  "Dashboard/Passkeys",
  "Dashboard/Writes",
  "Datasets/Crash",
  "GeneratedClients/GeneratedClients",
  "Http/ConnectJourneys",
  "Http/ResultQueries",
  "Providers/Gdocs/HostileTexts",
  "Sandbox/Providers/Gsc/Customers",
  "Security/Attacks",
  "Security/Canaries",
  "Security/Fuzz",
  "Server/Backup",
  "Server/Durability",
  "Server/FileModes",
  "Server/Killed",
  "Server/MissingKeys",
  "Service/ApprovalCrash",
  "Service/RevocationCrash",
  "Service/UndoDocuments",
  "Sql/Backup/Copy",
  "Sql/Client/DirectoryLock",
  "Sql/Client/PGliteStream",
  "Sql/Stats",
  "Sql/Storage",
  "Webhooks/Delivery"
].map((name) => `/test/${name}.test.ts`)

/** Random apart from that. */
class FirstTheSlowest extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const { seed } = this.ctx.config.sequence
    const rank = ({ moduleId }: TestSpecification) =>
      `${first.some((name) => moduleId.endsWith(name)) ? 0 : 1} ${hash("sha1", seed + moduleId)}`
    return files.toSorted((a, b) => rank(a) < rank(b) ? -1 : 1)
  }
}

export default defineConfig({
  test: {
    globalSetup: [
      "test/support/SkippedTests.ts",
      "test/support/DatabaseTemplate.ts",
      "test/support/Build.ts",
      "test/support/Chromium.ts",
      "test/support/SharedPostgres.ts"
    ],
    setupFiles: ["test/support/Seed.ts"],
    include: ["test/**/*.test.ts"],
    sequence: { sequencer: FirstTheSlowest, shuffle: { tests: true, files: false } },
    pool: "threads",
    isolate: false,
    maxWorkers: 3,
    // Node runs TypeScript itself. Its own bindings between modules are faster than those that Vite makes.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // For tests that hang. A busy machine slows any test down.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // CI says which test passed only the second time. On a developer's machine such a test fails.
    retry: process.env["CI"] ? 1 : 0
  }
})
