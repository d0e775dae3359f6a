import { test as base } from "vitest"
import { startSandbox } from "./index.js"

/** Each test has a sandbox of its own. */
export const test = base.extend({
  // Vitest reads from the pattern which fixtures it takes.
  // oxlint-disable-next-line no-empty-pattern
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox()
    await use(sandbox)
    await sandbox.stop()
  }
})
