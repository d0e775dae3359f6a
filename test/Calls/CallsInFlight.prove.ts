import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

// Incremental marking keeps what is made while it goes on, which on a busy machine is long.
const flags = ["--max-semi-space-size=16", "--no-incremental-marking", "--expose-gc"]

it("a completed call leaves nothing in memory for a full garbage collection", async () => {
  // A new process with the young generation of `npm start` has no garbage of other tests.
  const program = new URL("InFlightMemory.ts", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program])
  assert.isBelow(Number(stdout), 8)
})
