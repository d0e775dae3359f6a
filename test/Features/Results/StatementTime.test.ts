import { assert, it } from "@effect/vitest"
import { StatementTime } from "../../../src/Features/Results/Query/StatementTime.ts"

it("The time of a member's statements adds up, and halves every minute", () => {
  let now = 0
  const time = new StatementTime(() => now)
  for (const millis of [5000, 4999]) time.take("busy", millis)
  assert.deepStrictEqual([time.of("busy"), time.of("new")], [9999, 0])
  now = 120_000
  assert.strictEqual(time.of("busy"), 9999 / 4)
  time.take("busy", -5000)
  now = 60 * 60_000
  assert.strictEqual(time.of("busy"), 0)
})
