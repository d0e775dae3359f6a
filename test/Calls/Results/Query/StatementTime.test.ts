import { assert, it } from "@effect/vitest"
import { StatementTime } from "../../../../src/Calls/Results/Query/StatementTime.ts"

it("A member has asked much after ten seconds of statements in a minute", () => {
  let now = 0
  const time = new StatementTime(() => now)
  for (let taken = 0; taken < 2; taken++) {
    assert.isFalse(time.isMuch("busy"))
    time.take("busy", 5000)
    time.take("other", 4999)
  }
  assert.deepStrictEqual([time.isMuch("busy"), time.isMuch("other"), time.isMuch("new")], [true, false, false])
  now = 60_000
  assert.isFalse(time.isMuch("busy"))
})
