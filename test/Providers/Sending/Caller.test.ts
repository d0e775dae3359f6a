import { assert, it } from "@effect/vitest"
import { priorityOf, waitMillisOf } from "../../../src/Providers/Sending/Caller.ts"

it.each([
  [undefined, 5000],
  ["wait=0", 0],
  ["respond-async, wait=10", 10_000],
  ["wait=60", 60_000],
  ["wait=61", 60_000],
  ["wait=99999999999999999999", 60_000],
  ["wait=-1", 5000],
  ["wait=soon", 5000],
  ["await=3", 5000]
])("Prefer: %s waits for %s ms", (prefer, millis) => {
  assert.strictEqual(waitMillisOf(prefer), millis)
})

it.each([[undefined, 3], ["u=0", 0], ["i, u=7", 7], ["u=8", 3], ["u=", 3]])(
  "Priority: %s is %s",
  (priority, urgency) => {
    assert.strictEqual(priorityOf(priority), urgency)
  }
)
