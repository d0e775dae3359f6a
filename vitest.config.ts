import { setFlagsFromString } from "node:v8"
import { defineConfig } from "vitest/config"

// On two cores, three workers that collect garbage with one thread each take a tenth less CPU time.
setFlagsFromString("--single-threaded-gc")
// Node 24 crashes at times when threads share the code of the embedded database and some of it is collected.
setFlagsFromString("--no-wasm-code-gc")

export default defineConfig({
  test: {
    globalSetup: ["test/support/DatabaseTemplate.ts", "test/support/FreshDashboard.ts", "test/support/Chromium.ts"],
    setupFiles: ["test/support/Seed.ts"],
    include: ["test/**/*.test.ts"],
    sequence: { shuffle: true },
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
