import { assert, describe, it } from "@effect/vitest"
import { Duration, Result, Schema } from "effect"
import { DurationText } from "../../../src/Domain/Validation/DurationText.ts"

const decode = Schema.decodeUnknownResult(DurationText)

describe("a duration in a setting", () => {
  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["30s", 30_000],
    ["1.5h", 5_400_000],
    ["5 Minutes", 300_000],
    ["90d", 7_776_000_000],
    ["2w", 1_209_600_000]
  ])("can be %s", (text, millis) => {
    assert.strictEqual(Duration.toMillis(Result.getOrThrow(decode(text))), millis)
  })

  it.each(["", "30", "s", "-5 days", "soon", "1 fortnight", "30 s 5", "Infinity"])(
    "cannot be %j, and the message has an example",
    (text) => assert.include(String(Result.getOrThrow(Result.flip(decode(text)))), "such as 30s")
  )
})
