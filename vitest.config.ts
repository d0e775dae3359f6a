import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    globalSetup: ["test/support/DatabaseTemplate.ts", "test/support/FreshDashboard.ts", "test/support/Chromium.ts"],
    setupFiles: ["test/support/Seed.ts"],
    include: ["test/**/*.test.ts"],
    sequence: { shuffle: true },
    pool: "threads",
    isolate: false,
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
