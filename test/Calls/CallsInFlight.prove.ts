import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

it("a completed call leaves nothing in memory for a full garbage collection", async () => {
  // A new process with the young generation of `npm start` has no garbage of other tests.
  const program = new URL("InFlightMemory.ts", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, ["--max-semi-space-size=16", "--expose-gc", program])
  assert.isBelow(Number(stdout), 8)
})
