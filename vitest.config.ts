import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    globalSetup: ["test/support/DatabaseTemplate.ts"],
    include: ["test/**/*.test.ts"],
    sequence: { shuffle: true },
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
