import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

describe("A bulk call of 300 accounts, of which 7 are broken and 3 are late", () => {
  it("makes one table, also where its instance is killed in the middle", async () => {
    const command = ["scripts/bulk/Load.ts", "--seconds", "5", "--json"]
    const { stdout } = await promisify(execFile)(process.execPath, command)
    const { killed, whole } = JSON.parse(stdout)
    const expected = { status: "done", failed: 7, inRows: 293, twice: 0, rows: 29_300 }
    assert.deepInclude(whole, expected)
    assert.deepInclude(killed, expected)
  }, 600_000)
})
