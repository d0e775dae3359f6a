import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

it("the route that holds the event loop is logged while it does", async () => {
  const program = fileURLToPath(new URL("HeldLoop.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const messages = stdout.trim().split("\n").map((line) => JSON.parse(line).message)
  assert.deepStrictEqual(messages, [
    "The event loop was held for over 500 ms by GET /v1/logs/:call_id",
    "The event loop was held for over 500 ms by work outside of requests"
  ])
})
